/** Message payloads as JSON, by Jackson. Start at {@link dev.mailroom.jackson.JacksonCodec}. */
@NullMarked
package dev.mailroom.jackson;

import org.jspecify.annotations.NullMarked;

/** What is written and stored: payloads, their envelope, write options and receipts. */
@NullMarked
package dev.mailroom.messages;

import org.jspecify.annotations.NullMarked;

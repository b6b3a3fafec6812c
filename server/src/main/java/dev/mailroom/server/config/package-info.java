/**
 * The server's configuration: {@link dev.mailroom.server.config.KnownSettings one table} of all
 * settings, {@link dev.mailroom.server.config.ConfigurationReader read} from a file, the
 * environment and flags, and turned into {@link dev.mailroom.server.config.ServerOptions}.
 */
@NullMarked
package dev.mailroom.server.config;

import org.jspecify.annotations.NullMarked;

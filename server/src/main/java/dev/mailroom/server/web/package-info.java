/**
 * The server's HTTP side: routes, their operations, access control, and Jetty. Only {@link
 * dev.mailroom.server.web.WebServer} and what it uses to read and write know Jetty.
 */
@NullMarked
package dev.mailroom.server.web;

import org.jspecify.annotations.NullMarked;

/**
 * The server's HTTP side: routes and what they do, who may use them, and Jetty below it all. Only
 * {@link dev.mailroom.server.web.WebServer} and what it uses to read and write know Jetty.
 */
@NullMarked
package dev.mailroom.server.web;

import org.jspecify.annotations.NullMarked;

package dev.mailroom.webhooks.internal;

/** Signs content that comes in pieces. */
interface Signer {
  byte[] sign(byte[][] content);
}

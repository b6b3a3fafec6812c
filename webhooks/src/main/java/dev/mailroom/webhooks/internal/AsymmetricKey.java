package dev.mailroom.webhooks.internal;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.util.List;

/** The public half of a sender's key. */
record AsymmetricKey(String algorithm, PublicKey key, String version) implements VerifyingKey {
  private static final int ED25519_LENGTH = 32;

  /** What stands before the 32 bytes when they are written as a key of X.509. */
  private static final byte[] ED25519_PREFIX = {
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00
  };

  /** An Ed25519 key of its 32 bytes. */
  static AsymmetricKey ed25519(byte[] raw, String version) {
    if (raw.length != ED25519_LENGTH) {
      throw new IllegalArgumentException("an Ed25519 key has 32 bytes, and this one " + raw.length);
    }
    byte[] encoded = new byte[ED25519_PREFIX.length + raw.length];
    System.arraycopy(ED25519_PREFIX, 0, encoded, 0, ED25519_PREFIX.length);
    System.arraycopy(raw, 0, encoded, ED25519_PREFIX.length, raw.length);
    return new AsymmetricKey("Ed25519", decode("Ed25519", encoded), version);
  }

  /** An elliptic-curve key in the form of X.509. */
  static AsymmetricKey ecdsa(byte[] encoded) {
    return new AsymmetricKey("SHA256withECDSA", decode("EC", encoded), "");
  }

  private static PublicKey decode(String kind, byte[] encoded) {
    try {
      return KeyFactory.getInstance(kind).generatePublic(new X509EncodedKeySpec(encoded));
    } catch (GeneralSecurityException e) {
      // Without the cause, which may quote the key.
      throw new IllegalArgumentException("it is not a public key of the kind " + kind);
    }
  }

  @Override
  public boolean acceptsAny(List<byte[]> signatures, byte[][] content) {
    for (byte[] signature : signatures) {
      if (accepts(signature, content)) {
        return true;
      }
    }
    return false;
  }

  private boolean accepts(byte[] signature, byte[][] content) {
    try {
      Signature verifier = Signature.getInstance(algorithm);
      verifier.initVerify(key);
      for (byte[] piece : content) {
        verifier.update(piece);
      }
      return verifier.verify(signature);
    } catch (SignatureException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java lacks " + algorithm, e);
    }
  }

  /** Signs with the private half. */
  static Signer signer(PrivateKey key) {
    String algorithm = key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "Ed25519";
    return content -> {
      try {
        Signature signer = Signature.getInstance(algorithm);
        signer.initSign(key);
        for (byte[] piece : content) {
          signer.update(piece);
        }
        return signer.sign();
      } catch (GeneralSecurityException e) {
        throw new IllegalArgumentException("The key cannot sign with " + algorithm + ".", e);
      }
    };
  }
}

import { nodeCrypto } from './crypto.ts'

/** HMAC-SHA256 of a text in UTF-8, in hexadecimal. */
export const signatureOf = (secret: string, text: string): string =>
  nodeCrypto().createHmac('sha256', secret).update(text).digest('hex')

/** Whether a signature matches the text, in constant time. */
export function isSigned(secret: string, text: string, signature: string): boolean {
  const expected = Buffer.from(signatureOf(secret, text))
  const given = Buffer.from(signature)
  return given.length === expected.length && nodeCrypto().timingSafeEqual(given, expected)
}

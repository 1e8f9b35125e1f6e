/** Encodes bytes as base64; core has no `Buffer`, and our Node lacks `toBase64`. */
export function base64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** Bytes as text; in core there is no `Buffer`, and `toBase64` is younger than our Node. */
export function base64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** The first bytes of known file types. */
const SIGNATURES = [
  { mediaType: 'image/png', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { mediaType: 'image/jpeg', bytes: [0xff, 0xd8, 0xff] },
] as const

/**
 * Detects the type from the content: PNG, JPEG, JSON (an object or an array), other text in UTF-8,
 * or `application/octet-stream`.
 */
export function mediaTypeOf(content: Uint8Array): string {
  const signed = SIGNATURES.find(({ bytes }) => bytes.every((byte, at) => content[at] === byte))
  if (signed !== undefined) return signed.mediaType
  const text = readText(content)
  if (text === null) return 'application/octet-stream'
  return isJsonText(text) ? 'application/json' : 'text/plain'
}

/** Null if it is empty, not UTF-8 or holds control characters that do not occur in text. */
function readText(content: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content)
    return text === '' || CONTROL.test(text) ? null : text
  } catch {
    return null
  }
}

/** All but tab, line feed, form feed and carriage return. */
const CONTROL = /[^\P{Cc}\t\n\f\r]/u

function isJsonText(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

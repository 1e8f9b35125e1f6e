import { refused } from './refused.ts'

/** Encodings by byte order mark. */
const MARKS = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const

/** Binary formats by their first bytes, whatever the file's name says. */
const KINDS = [
  { kind: 'a PDF', begins: '%PDF-' },
  { kind: 'a zip file, such as .docx is', begins: 'PK\u0003\u0004' },
  { kind: 'an old Office document', begins: '\u00d0\u00cf\u0011\u00e0' },
] as const

/**
 * @param declared finds an encoding declared in the text, for kinds that can declare one
 * @throws EchelonError INVALID_INPUT for content that is not text
 */
export function decodedText(
  name: string,
  content: Uint8Array,
  declared?: (head: string) => string | undefined,
): string {
  const head = Buffer.from(content.subarray(0, 4096)).toString('latin1')
  const known = KINDS.find(({ begins }) => head.startsWith(begins))
  if (known !== undefined) {
    throw refused(name, `is ${known.kind} by its content and not by its name; rename it`)
  }
  const mark = MARKS.find(({ bytes }) => bytes.every((byte, index) => content[index] === byte))
  if (mark === undefined && head.includes('\0')) {
    throw refused(name, 'contains bytes that are not text; leave it out, or convert it')
  }
  const text = decode(content, mark?.encoding ?? declared?.(head))
  if (text === undefined) {
    throw refused(
      name,
      'is not UTF-8 text; save it as UTF-8, or as UTF-16 with its byte order mark',
    )
  }
  return text.replaceAll(/\r\n?/g, '\n')
}

function decode(content: Uint8Array, encoding = 'utf-8'): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content)
  } catch {
    return undefined
  }
}

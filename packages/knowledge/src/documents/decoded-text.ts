import { refused } from './refused.ts'

/** What a byte order mark says. */
const MARKS = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const

/** Files that are no text whatever their name says, by how they begin. */
const KINDS = [
  { kind: 'a PDF', begins: '%PDF-' },
  { kind: 'a zip file, such as .docx is', begins: 'PK\u0003\u0004' },
  { kind: 'an old Office document', begins: '\u00d0\u00cf\u0011\u00e0' },
] as const

/**
 * @param declared the encoding that the text names itself, where its kind has a way to
 * @throws EchelonError INVALID_INPUT for what is no text
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
    throw refused(name, 'holds bytes that are no text; leave it out, or convert it')
  }
  const text = plainly(content, mark?.encoding ?? declared?.(head))
  if (text === undefined) {
    throw refused(name, 'is no text in UTF-8; save it as UTF-8, or as UTF-16 with its mark')
  }
  return text.replaceAll(/\r\n?/g, '\n')
}

function plainly(content: Uint8Array, encoding = 'utf-8'): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content)
  } catch {
    return undefined
  }
}

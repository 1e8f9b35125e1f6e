import { deflateSync } from 'node:zlib'

/** A PDF for tests, with these lines on its pages. */
export function pdfFile(
  pages: readonly (readonly string[])[],
  trailer: { readonly entries?: string; readonly objects?: readonly string[] } = {},
): Uint8Array {
  const extra = trailer.objects ?? []
  const first = 4 + extra.length
  const kids = pages.map((_, nth) => `${first + 2 * nth} 0 R`).join(' ')
  const objects: readonly (string | Buffer)[] = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ...extra,
    ...pages.flatMap((lines, nth) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${first + 2 * nth + 1} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
      pdfStream(contentOf(lines)),
    ]),
  ]
  return withTable(objects, trailer.entries ?? '')
}

/** A one-page PDF with this content stream. */
export const pdfOfStream = (content: Buffer): Uint8Array =>
  withTable(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<<>>>>',
      content,
    ],
    '',
  )

/** @param deflated whether the content is already deflated */
export const pdfStream = (content: string | Buffer, deflated = false): Buffer => {
  const bytes = deflated ? Buffer.from(content) : deflateSync(content)
  const head = `<</Length ${bytes.length}/Filter/FlateDecode>>stream\n`
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream')])
}

/** An empty line leaves one line of space. */
const contentOf = (lines: readonly string[]): string =>
  `BT /F1 11 Tf 14 TL 50 800 Td ${lines
    .map((line) => `(${line.replaceAll(/[\\()]/g, '\\$&')}) Tj T*`)
    .join('\n')} ET`

function withTable(objects: readonly (string | Buffer)[], entries: string): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  for (const [index, body] of objects.entries()) {
    offsets.push(length)
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(body),
      Buffer.from('\nendobj\n'),
    ])
    parts.push(part)
    length += part.length
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer<</Size ${size}/Root 1 0 R${entries}>>\nstartxref\n${length}\n%%EOF`,
    ),
  )
  return new Uint8Array(Buffer.concat(parts))
}

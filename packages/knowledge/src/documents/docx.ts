import type { DocumentReader } from 'echelon/internal/knowledge'
import { readHtml } from './html.ts'
import { checkBytes } from './limits.ts'
import { asRefusal, refused } from './refused.ts'
import { checkZip } from './zip-directory.ts'

/** Reads the text of a Word document with headings, lists and tables, without pictures and comments. */
export const docxReader: DocumentReader = {
  extensions: ['.docx'],
  read: async (content, { name, limits, signal }) => {
    signal?.throwIfAborted()
    checkBytes(name, content, limits)
    checkKind(name, content)
    await checkZip(name, content, { limits, ...(signal && { signal }) })
    const { default: mammoth } = await import('mammoth')
    const options = {
      externalFileAccess: false,
      includeEmbeddedStyleMap: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    }
    const html = await mammoth
      .convertToHtml({ buffer: Buffer.from(content) }, options)
      .catch((error: unknown) => {
        throw asRefusal(name, error)
      })
    signal?.throwIfAborted()
    return await readHtml(html.value, name, limits)
  },
}

const beginsWith = (content: Uint8Array, bytes: readonly number[]): boolean =>
  bytes.every((byte, index) => content[index] === byte)

function checkKind(name: string, content: Uint8Array): void {
  if (beginsWith(content, [0x50, 0x4b])) return
  throw beginsWith(content, [0xd0, 0xcf, 0x11, 0xe0])
    ? refused(
        name,
        'is encrypted, or from an old version of Word; save it as .docx without a password',
      )
    : refused(name, 'is not a Word document by its content; rename it, or save it again')
}

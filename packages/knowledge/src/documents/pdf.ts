import type { DocumentReader, ReadingLimits } from 'echelon/internal/knowledge'
import { CollectedText } from './collected-text.ts'
import { fileTitle } from './file-title.ts'
import { checkBytes, checkPages } from './limits.ts'
import { pageText } from './page-text.ts'
import { asRefusal, refused } from './refused.ts'

/** Reads the text layer of a PDF, page by page. */
export const pdfReader: DocumentReader = {
  extensions: ['.pdf'],
  read: async (content, { name, limits, signal }) => {
    signal?.throwIfAborted()
    checkBytes(name, content, limits)
    if (!Buffer.from(content.subarray(0, 1024)).includes('%PDF-')) {
      throw refused(name, 'is not a PDF by its content; rename it, or export it again')
    }
    try {
      const sections = await textOf(content, { name, limits, ...(signal && { signal }) })
      return { title: fileTitle(name), sections }
    } catch (error) {
      throw signal?.aborted === true ? signal.reason : explained(name, error)
    }
  },
}

interface About {
  readonly name: string
  readonly limits: ReadingLimits
  readonly signal?: AbortSignal
}

async function textOf(content: Uint8Array, { name, limits, signal }: About) {
  const { getDocumentProxy } = await import('unpdf')
  // A copy, because the package detaches the buffer it receives.
  const pdf = await getDocumentProxy(new Uint8Array(content), {
    verbosity: 0,
    maxImageSize: 1,
  })
  checkPages(name, pdf.numPages, limits)
  const text = new CollectedText(name, limits)
  for (let nth = 1; nth <= pdf.numPages; nth += 1) {
    signal?.throwIfAborted()
    const page = await pdf.getPage(nth)
    const found = await pageText(page, limits.maxCharacters)
    if (found === undefined) throw text.limitError()
    text.page(found, nth)
    page.cleanup()
  }
  await pdf.loadingTask.destroy()
  const sections = text.sections()
  if (sections.length > 0) return sections
  throw refused(name, 'contains no text, perhaps only images; run text recognition on it first')
}

function explained(name: string, error: unknown): unknown {
  if (error instanceof Error && error.name === 'PasswordException') {
    return refused(name, 'is encrypted; save it without a password', error)
  }
  if (error instanceof Error && error.name === 'InvalidPDFException') {
    return refused(name, 'is broken or cut off; export or load it again', error)
  }
  return asRefusal(name, error)
}

import type { DocumentReader } from 'echelon/internal/knowledge'
import { CollectedText } from './collected-text.ts'
import { decodedText } from './decoded-text.ts'
import { fileTitle } from './file-title.ts'
import { checkBytes } from './limits.ts'

/** Reads plain text: UTF-8, or UTF-16 with its byte order mark. */
export const plainTextReader: DocumentReader = {
  extensions: ['.txt', '.text', '.log', '.rst', '.adoc'],
  read: async (content, { name, limits, signal }) => {
    signal?.throwIfAborted()
    checkBytes(name, content, limits)
    const text = new CollectedText(name, limits)
    text.block(decodedText(name, content))
    return { title: fileTitle(name), sections: text.sections() }
  },
}

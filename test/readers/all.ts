import { DOCUMENTS } from './documents.ts'
import { FILES } from './files.ts'
import { MESSAGES_OF_USERS } from './messages.ts'
import { MODEL_ANSWERS } from './model-answers.ts'
import { PROTOCOLS } from './protocols.ts'
import type { Reader } from './reader.ts'
import { TERMINAL } from './terminal.ts'

/**
 * Everything that reads model answers, user text, documents, files and server responses. Add new readers
 * here: each is tried with inputs of doubling length (`reader-time.test.ts`) and by a fuzzer
 * (`test/fuzz/`). `joined.test.ts` reports missing ones.
 */
export const READERS: readonly Reader[] = [
  ...MODEL_ANSWERS,
  ...MESSAGES_OF_USERS,
  ...DOCUMENTS,
  ...FILES,
  ...PROTOCOLS,
  ...TERMINAL,
]

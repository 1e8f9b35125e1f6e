import { DOCUMENTS } from './documents.ts'
import { FILES } from './files.ts'
import { MESSAGES_OF_USERS } from './messages.ts'
import { MODEL_ANSWERS } from './model-answers.ts'
import { PROTOCOLS } from './protocols.ts'
import type { Reader } from './reader.ts'
import { TERMINAL } from './terminal.ts'

/**
 * Everything that reads what models answer, users write, documents and files hold, and servers send.
 * Whoever writes a new reader adds it here: then it is tried with inputs that double in length
 * (`reader-time.test.ts`) and by a fuzzer (`test/fuzz/`). `joined.test.ts` says which are missing.
 */
export const READERS: readonly Reader[] = [
  ...MODEL_ANSWERS,
  ...MESSAGES_OF_USERS,
  ...DOCUMENTS,
  ...FILES,
  ...PROTOCOLS,
  ...TERMINAL,
]

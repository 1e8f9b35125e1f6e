import { nodeCrypto } from './crypto.ts'

/** SHA-256 of a text in UTF-8, in hexadecimal. */
export const sha256 = (text: string): string => nodeCrypto().hash('sha256', text)

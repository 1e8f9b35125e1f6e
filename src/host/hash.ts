import { hash } from 'node:crypto'

/** SHA-256 of a text in UTF-8, hexadecimal. */
export const sha256 = (text: string): string => hash('sha256', text)

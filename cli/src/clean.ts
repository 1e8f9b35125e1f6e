import { stripVTControlCharacters } from 'node:util'

/**
 * A text that models, tools and providers wrote, on one line and without what could steer the
 * terminal or turn the direction of writing around.
 */
export const clean = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/\p{Cc}+/gu, ' ')

import type { FieldRules } from './field-names.ts'
import { asSeen, LOOK_ALIKE } from './look-alikes.ts'
import { stretchesOf } from './named-values.ts'
import { PERSONAL_RULES } from './personal.ts'
import { applyRules, type Mark, type RuleGroup } from './rule.ts'
import { SECRET_RULES } from './secrets.ts'

const RULES: readonly RuleGroup[] = [...SECRET_RULES, ...PERSONAL_RULES]

/**
 * Hides values in a text by their names and, with `content`, by their format. Also decodes one layer
 * of JSON escapes or percent-encoding.
 */
export function textRedactor(
  rules: FieldRules,
  content: boolean,
  mark: Mark,
): (text: string) => string {
  const marking: Mark = (kind, value) =>
    mark(kind, typeof value === 'string' ? unmarkEscapes(value) : value)
  const plain = (text: string): string =>
    stretchesOf(text, { rules, content, mark: marking })
      .map((one) => (one.isSettled || !content ? one.text : applyRules(one.text, RULES, marking)))
      .join('')
  return (given) => {
    const text = content ? asRead(given, plain) : given
    const marked = text.includes('\\') ? markEscapes(text) : text
    const hidden = plain(content && marked.includes('%') ? throughPercents(marked, plain) : marked)
    return text.includes('\\') ? unmarkEscapes(hidden) : hidden
  }
}

/** Escaped white space, and characters without meaning in any text (Unicode 16, 23.7). */
const ESCAPES: readonly (readonly [escape: string, mark: string])[] = [
  ['\\n', '\ufdd0'],
  ['\\r', '\ufdd1'],
  ['\\t', '\ufdd2'],
]

/** `\n0171 …`: the letter of an escape does not belong to the text after it. */
const markEscapes = (text: string): string =>
  ESCAPES.reduce((left, [escape, mark]) => left.replaceAll(escape, mark), text)

const unmarkEscapes = (text: string): string =>
  ESCAPES.reduce((left, [escape, mark]) => left.replaceAll(mark, escape), text)

/** Wide letters and signs and invisible signs, so that a label is read as the one that it looks like. */
const DISGUISED = /\p{Default_Ignorable_Code_Point}|[\uff01-\uff5e]|[\u{1d400}-\u{1d7ff}]/u
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu

const isDisguised = (text: string): boolean => DISGUISED.test(text) || LOOK_ALIKE.test(text)

/** A line that hides a secret with such signs is shown without them; other lines stay as they are. */
function asRead(text: string, hide: (text: string) => string): string {
  if (!isDisguised(text)) return text
  const lines = text.split('\n').map((line) => {
    if (!isDisguised(line)) return line
    // Remove signs first: compatibility normalization splits some of them.
    const read = asSeen(asSeen(line.replaceAll(UNSEEN, '')).normalize('NFKC'))
    return hide(read) === read ? line : read
  })
  return lines.join('\n')
}

/** A word that hides a secret by percent-encoding is shown decoded; other words stay as they are. */
const throughPercents = (text: string, hide: (text: string) => string): string =>
  text.replaceAll(/[^\s"<>\\]+/g, (word) => {
    if (!/%[\da-f]{2}/i.test(word)) return word
    const decoded = decode(word)
    const hidden = hide(decoded)
    return hidden === decoded ? word : hidden.replaceAll(' ', '%20')
  })

/** Decodes as far as possible: `15%40` may be arithmetic. */
function decode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word.replaceAll(/%([2-7][\da-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
  }
}

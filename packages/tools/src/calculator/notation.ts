import { refuse } from './refuse.ts'

/** How deep brackets may nest: far above what a person writes, far below the parser's stack. */
const MAX_DEPTH = 64

/** What people and data sets write, in the parser's spelling. Order matters. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\s+/g, ' '],
  [/=\s?\??\s?$/, ''],
  [/[×·∙⋅]/g, '*'],
  [/[÷∕⁄]/g, '/'],
  [/[−–—]/g, '-'],
  [/\*\*/g, '^'],
  [/²/g, '^2'],
  [/³/g, '^3'],
  [/π/g, 'pi'],
  [/√ ?(\d+(?:\.\d+)?)/g, 'sqrt($1)'],
  [/√/g, 'sqrt'],
  [/(?<=\d) ?(?=[½¼¾])/g, ' '],
  [/(?<!\d )[½¼¾]/g, '($&)'],
  [/½/g, '1/2'],
  [/¼/g, '1/4'],
  [/¾/g, '3/4'],
  [/[$€£](?= ?[-(]? ?[\d.])/g, ''],
  [/(?<=[\d.)\]}%] )(?:of|x)(?= )/gi, '*'],
  [/(?<=%)of(?= )/gi, '*'],
  [/(?<=[\d.)\]}%])x(?=[\d.([{])/gi, '*'],
  [/(?<=\d)\.(?= ?[*/^])/g, ''],
]

/** "0x10" is sixteen to the parser and nought times ten to others. */
const OTHER_BASES = /(?<![\w.])0[xbo][\da-f]/i

/** What an exponent of so many digits makes is 0 or infinite to the parser. */
const LONG_EXPONENT = /\d\.?e[-+]?\d{16}/i

/** "2 1/2": a whole number, and a proper fraction whose line nothing continues. */
const MIXED = /(?<![\w.)/^] ?)(\d+) (\d{1,2})\/(\d{1,3})(?! ?[\w.(/^])/g

/** Digits and commas without a space: a number with thousands separators, or several arguments. */
const COMMAS = /(?<![\w.])\d+(?:,\d+)+(?:\.\d+)?/g
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const MAY_BE_THOUSANDS = /(?<!\d)\d{1,3},\d{3}(?!\d)/

/** Functions of which nobody asks with one argument, so that `max(120,450)` has two. */
const OF_SEVERAL = new Set(['max', 'min', 'gcd', 'lcm', 'sum', 'mean', 'pow', 'mod'])

/**
 * An expression as people write it, in the notation of the parser: `×`, `÷`, `−`, `**`, `√9`, `5²`,
 * `20% of 50`, `3 x 4`, `3x4`, `$1,234.50`, `2 1/2`, mixed brackets, a trailing `=`. What has two readings is
 * refused with both named, never guessed. A per cent sign becomes `'`, see `percentages`.
 * @throws ToolError INVALID_ARGS
 */
export function notation(expr: string): string {
  const based = OTHER_BASES.exec(expr)?.[0]
  if (based !== undefined) throw refuse(`${based}… has two readings; write decimal numbers, and *`)
  if (LONG_EXPONENT.test(expr)) throw refuse('an exponent has at most 15 digits')
  const spelled = mixed(SPELLINGS.reduce((text, [from, to]) => text.replace(from, to), expr).trim())
  const strange = /[^\w .,+\-*/^%!()[\]{}]/.exec(spelled)?.[0]
  if (strange !== undefined) throw refuse(`an expression cannot have ${JSON.stringify(strange)}`)
  return percentages(separators(brackets(spelled)))
}

/** `2 1/2` is two and a half. */
function mixed(text: string): string {
  return text.replace(MIXED, (all, whole: string, above: string, below: string) =>
    Number(above) > 0 && Number(above) < Number(below) ? `(${whole} + ${above}/${below})` : all,
  )
}

/** Any bracket is a round one, if it is closed by its like. */
function brackets(text: string): string {
  const closers: string[] = []
  const round = text.replace(/[()[\]{}]/g, (bracket) => {
    const closer = { '(': ')', '[': ']', '{': '}' }[bracket]
    if (closer === undefined) {
      if (closers.pop() !== bracket) throw refuse(`${bracket} closes nothing`)
      return ')'
    }
    if (closers.push(closer) > MAX_DEPTH) {
      throw refuse(`brackets may be ${MAX_DEPTH} deep, not more`)
    }
    return '('
  })
  if (closers.length > 0) throw refuse(`${closers.at(-1)} is missing`)
  return round
}

/** Takes thousands separators out; between the arguments of a function a comma may be either. */
function separators(text: string): string {
  return text.replace(COMMAS, (run: string, at: number) => {
    const name = callAround(text, at)
    if (name === undefined && THOUSANDS.test(run)) return run.replaceAll(',', '')
    if (name === undefined) {
      throw refuse(`the commas of ${run} part no thousands; write a decimal with a point`)
    }
    const alone = text[at - 1] === '(' && text[at + run.length] === ')'
    const pair = alone && OF_SEVERAL.has(name) && THOUSANDS.test(run) && !run.includes(',0')
    if (pair || !MAY_BE_THOUSANDS.test(run)) return run
    throw refuse(
      `in ${name}() the commas of ${run} can be thousands or arguments; ` +
        `write ${run.replaceAll(',', ', ')}, or the numbers without commas`,
    )
  })
}

/** The function whose arguments hold a place, if the innermost bracket around it is a call. */
function callAround(text: string, at: number): string | undefined {
  let depth = 0
  for (let index = at - 1; index >= 0; index -= 1) {
    if (text[index] === ')') depth += 1
    else if (text[index] === '(') {
      if (depth === 0) return /([a-z]\w*) ?$/i.exec(text.slice(0, index))?.[1]
      depth -= 1
    }
  }
  return undefined
}

/**
 * `%` before an operand is modulo and stays. Else it is per cent and becomes `'`, the parser's
 * other postfix operator, which numbers do not need: its own reading of `50%+20%` is modulo.
 */
function percentages(text: string): string {
  return text.replace(/( ?)% ?([-+]?)( ?)(.?)/g, (all: string, ...parts: string[]) => {
    const [before, sign, gap, next = ''] = parts
    if (sign === '') return /[\w.(]/.test(next) ? all : all.replace('%', "'")
    if (before === ' ' && gap === '' && /[\w.(]/.test(next)) {
      throw refuse(`${all.trim()} can be modulo or per cent; write % (${sign}…) or …% ${sign} …`)
    }
    return all.replace('%', "'")
  })
}

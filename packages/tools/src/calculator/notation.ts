import { refuse } from './refuse.ts'

/**
 * Maximum depth of brackets: far more than people write, far less than the parser's stack allows.
 */
const MAX_DEPTH = 64

/** Rewrites common notation for the parser. The order matters. */
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

/** "0x10" is sixteen to the parser, but can be read as zero times ten. */
const OTHER_BASES = /(?<![\w.])0[xbo][\da-f]/i

/** The parser turns numbers with such a long exponent into 0 or infinity. */
const LONG_EXPONENT = /\d\.?e[-+]?\d{16}/i

/** "2 1/2": a whole number and a proper fraction, with nothing that continues the fraction. */
const MIXED = /(?<![\w.)/^] ?)(\d+) (\d{1,2})\/(\d{1,3})(?! ?[\w.(/^])/g

/** Digits and commas without a space: thousands separators or several arguments. */
const COMMAS = /(?<![\w.])\d+(?:,\d+)+(?:\.\d+)?/g
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const MAY_BE_THOUSANDS = /(?<!\d)\d{1,3},\d{3}(?!\d)/

/** Functions that are never called with one argument, so that `max(120,450)` has two. */
const MULTI_ARGUMENT = new Set(['max', 'min', 'gcd', 'lcm', 'sum', 'mean', 'pow', 'mod'])

/**
 * Converts common notation to the parser's: `×`, `÷`, `−`, `**`, `√9`, `5²`, `20% of 50`, `3 x 4`,
 * `3x4`, `$1,234.50`, `2 1/2`, mixed brackets, a trailing `=`. Refuses ambiguous input and names
 * both readings. A per cent sign becomes `'`, see `percentages`.
 * @throws ToolError INVALID_ARGS
 */
export function notation(expr: string): string {
  const based = OTHER_BASES.exec(expr)?.[0]
  if (based !== undefined) throw refuse(`${based}… has two readings; write decimal numbers, and *`)
  if (LONG_EXPONENT.test(expr)) throw refuse('an exponent has at most 15 digits')
  const spelled = mixed(SPELLINGS.reduce((text, [from, to]) => text.replace(from, to), expr).trim())
  const invalid = /[^\w .,+\-*/^%!()[\]{}]/.exec(spelled)?.[0]
  if (invalid !== undefined) throw refuse(`an expression cannot contain ${JSON.stringify(invalid)}`)
  return percentages(separators(brackets(spelled)))
}

/** Converts `2 1/2` to a sum. */
function mixed(text: string): string {
  return text.replace(MIXED, (all, whole: string, above: string, below: string) =>
    Number(above) > 0 && Number(above) < Number(below) ? `(${whole} + ${above}/${below})` : all,
  )
}

/** Converts matching brackets of any kind to round ones. */
function brackets(text: string): string {
  const closers: string[] = []
  const round = text.replace(/[()[\]{}]/g, (bracket) => {
    const closer = { '(': ')', '[': ']', '{': '}' }[bracket]
    if (closer === undefined) {
      if (closers.pop() !== bracket) throw refuse(`${bracket} closes nothing`)
      return ')'
    }
    if (closers.push(closer) > MAX_DEPTH) {
      throw refuse(`brackets may be at most ${MAX_DEPTH} deep`)
    }
    return '('
  })
  if (closers.length > 0) throw refuse(`${closers.at(-1)} is missing`)
  return round
}

/** Removes thousands separators. Between the arguments of a function a comma may be either. */
function separators(text: string): string {
  return text.replace(COMMAS, (run: string, at: number) => {
    const name = callAround(text, at)
    if (name === undefined && THOUSANDS.test(run)) return run.replaceAll(',', '')
    if (name === undefined) {
      throw refuse(
        `the commas of ${run} are not thousands separators; write a decimal with a point`,
      )
    }
    const alone = text[at - 1] === '(' && text[at + run.length] === ')'
    const pair = alone && MULTI_ARGUMENT.has(name) && THOUSANDS.test(run) && !run.includes(',0')
    if (pair || !MAY_BE_THOUSANDS.test(run)) return run
    throw refuse(
      `in ${name}() the commas of ${run} can be thousands or arguments; ` +
        `write ${run.replaceAll(',', ', ')}, or the numbers without commas`,
    )
  })
}

/** The name of the call that directly encloses a position, if any. */
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
 * Keeps `%` before an operand: there it means modulo. Otherwise it is per cent and becomes `'`, the
 * parser's other postfix operator, which numbers do not need: the parser reads `50%+20%` as modulo.
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

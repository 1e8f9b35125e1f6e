import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isRecord } from '../../packages/echelon/src/core/value/json.ts'
import { ToolError, type ToolContext } from '../../packages/echelon/src/core/tool/tool.ts'
import { calculator } from '../../packages/tools/src/calculator.ts'
import { tried } from './tried.ts'

const context: ToolContext = {
  key: 'attack',
  signal: new AbortController().signal,
  at: 0,
  timeZone: 'UTC',
  artifacts: { write: () => Promise.reject(new Error('the calculator writes no files')) },
  progress: () => undefined,
}

/** The result of an expression: its value, or the error code. */
async function outcome(expr: string): Promise<string> {
  try {
    const result: unknown = await calculator.run({ expr }, context)
    return isRecord(result) ? String(result['value']) : 'no result'
  } catch (error) {
    return error instanceof ToolError ? error.code : String(error)
  }
}

/** Fractions, roundings, and decimals of every supported precision; digits from printed tables. */
const PROBES: readonly (readonly [string, string])[] = [
  ['1/3*3', '1'],
  ['floor(100/3*3)', '100'],
  ['5 % (1/3*3)', '0'],
  ['sqrt(2)', '1.4142135623730950488016887242096980785696718753769'],
  ['sin(1)', '0.84147098480789650665250232163029899962256306079837'],
  ['ln(2)', '0.69314718055994530941723212145817656807550013436026'],
]

async function probe(): Promise<void> {
  for (const [expr, value] of PROBES) {
    // One after another, so that the attacked worker is the one that answers next.
    // oxlint-disable-next-line no-await-in-loop
    const given = await outcome(expr)
    // On a busy machine a worker may not start in time, so it is tried once more.
    // oxlint-disable-next-line no-await-in-loop
    assert.equal(given === 'TOOL_ERROR' ? await outcome(expr) : given, value, expr)
  }
}

const FUNCTIONS =
  'abs sqrt cbrt exp ln log log2 log10 sin cos tan asin acos atan floor ceil round sign factorial gcd lcm'
const OF_TWO = 'pow mod min max mean log round gcd lcm'

const ARGUMENTS: readonly string[] = [
  '0',
  '-1',
  '1e2000',
  '-1e2000',
  '1e-2000',
  '1e99',
  '1e101',
  '1e1017',
  '1e9999999',
  '1e-9999999',
  '1e999999999999999',
  '1e99999999999999999999',
  '1e-99999999999999999999',
  '1/0',
  '0/0',
  '9^9^9^9',
  '1/3',
  '-1/3',
  'pi*1e50',
  'e^e^e',
  '1000!',
  `1.${'1'.repeat(900)}`,
  '9'.repeat(1500),
  `${'('.repeat(60)}1e2000${')'.repeat(60)}`,
]

const CALLS: readonly string[] = [
  ...FUNCTIONS.split(' ').flatMap((name) => ARGUMENTS.map((x) => `${name}(${x})`)),
  ...OF_TWO.split(' ').flatMap((name) =>
    ARGUMENTS.flatMap((x) => [`${name}(${x}, 7)`, `${name}(2.5, ${x})`]),
  ),
  ...ARGUMENTS.flatMap((x) => [`(${x})!`, `(${x})^(1/3)`, `2^(${x})`, `7 % (${x})`, `(${x}) % 7`]),
]

const deep = (count: number): readonly string[] => [
  `${'-'.repeat(count)}exp(1)`,
  `${'2^'.repeat(count / 2)}1`,
  `${'1+'.repeat(count / 2)}sin(1)`,
  `${'sqrt '.repeat(10)}2`,
  `${'abs('.repeat(Math.min(count, 64))}tan(1)${')'.repeat(Math.min(count, 64))}`,
  `1${'!'.repeat(count)}`,
  `1${'%'.repeat(count)}`,
]

const REFUSED: readonly string[] = [
  ['import("fs")', 'config({})', 'createUnit("x")', 'parse("1")', 'simplify("x")', 'eval("1")'],
  ['f(x)=x', 'a=1', 'a.b=1', 'sin=cos', 'pi=3', 'e=2', 'f(x)=f(x)', 'abs(x)=x; abs(1)'],
  ['constructor', '__proto__', 'toString()', 'hasOwnProperty(1)', 'valueOf(1)', 'pi.constructor'],
  ['sin.constructor("return process")()', '(1)["constructor"]', '{a:1}.a', '[1,2;3,4]', '1:1e9'],
  ['zeros(1e5,1e5)', 'ones(9999)', 'range(1,1e9)', 'map([1],f)', 'matrix()', 'det([1])'],
  ['5 cm', '3 kg to g', '1 inch + 2 m', '10 MB', '5 degC', 'bignumber(1)', 'fraction(1,3)'],
  ['true', 'null', 'NaN', 'Infinity', '-Infinity', 'undefined', 'i', '3i', 'LN2', 'tau', 'phi'],
  ['"a"', "'a'", '`a`', '1 == 1', '1 ? 2 : 3', '1 and 2', 'not 1', '1 | 2', '1 << 70', '~1'],
  ['1;2', '1\u00002', '# 1', '1 // 2', '1 /* 2', '\u202e1+1', '１＋１', '1\u200b+1', '٣+٤', '²'],
  ['𝟏+𝟏', '1e+', '.', '..', '1..2', '1.2.3', '0x1p4', '1_000', '0b1', '()', '[]', '{}'],
  ['random()', 'now()', 'version', 'help(sin)', 'typed("f")', 'chain(1)', 'print("")', 'end'],
].flat()

const HEAVY: readonly string[] = [
  Array(280).fill('atan(2)').join('*'),
  Array(180).fill('1000!').join('+'),
  Array(150).fill('1000!/998!').join('*'),
  Array(230).fill('7^700/3^').join('1+') + '1',
  `(7^290/3^510)${'*1'.repeat(900)}`,
  Array.from({ length: 300 }, (_, index) => `1/${997 + 2 * index}`).join('+'),
  '1.0000001^1e15',
  '1.0000001^123456789012345.6',
  `2^${'9'.repeat(1900)}`,
  `${'9'.repeat(990)}^${'9'.repeat(990)}`,
  `exp(${'9'.repeat(1900)})`,
  `1.${'9'.repeat(900)}^1${'0'.repeat(900)}.5`,
  '1000!!!!',
  '(10^4000+1)/(10^4000-1)*(10^3999+7)',
  `sqrt(${'9'.repeat(1990)})`,
  `(2^16000+1)^(1/64)${'+(2^16000+1)^(1/64)'.repeat(100)}`,
  `gcd(${Array(90).fill('9'.repeat(18)).join(', ')})`,
]

/** Far above the 0.5 s limit of a run, since a worker may have to be loaded first. */
const MOST_MS = 10_000

suite('calculator: hostile expressions and what they leave behind', () => {
  test('no argument changes a later result', async (t) => {
    await tried(t, {
      cases: CALLS,
      named: (expr) => expr.slice(0, 60),
      async hold(expr) {
        const before = performance.now()
        assert.match(await outcome(expr), /^(-?\d+(\.\d+)?(e[+-]\d+)?|INVALID_ARGS)$/)
        assert.ok(performance.now() - before < MOST_MS)
        await probe()
      },
      fast: 12,
    })
  })

  test('a deep expression has its value or is rejected, and changes nothing', async (t) => {
    await tried(t, {
      cases: [2, 60, 500, 900, 1200, 1500, 1700, 1800, 1900, 1990].flatMap(deep),
      named: (expr) => `${expr.slice(0, 10)}… of ${expr.length}`,
      async hold(expr) {
        assert.match(await outcome(expr), /^(-?\d+(\.\d+)?(e[+-]\d+)?|INVALID_ARGS)$/)
        await probe()
      },
      fast: 10,
    })
  })

  test('expressions that are not arithmetic are rejected', async (t) => {
    await tried(t, {
      cases: REFUSED,
      named: (expr) => expr,
      hold: async (expr) => assert.equal(await outcome(expr), 'INVALID_ARGS'),
      fast: REFUSED.length,
    })
    await probe()
  })

  test('a slow expression ends at its limit, and the next one is served', async (t) => {
    await tried(t, {
      cases: HEAVY,
      named: (expr) => `${expr.slice(0, 40)}…`,
      async hold(expr) {
        const before = performance.now()
        assert.match(await outcome(expr), /^(-?\d+(\.\d+)?(e[+-]\d+)?|INVALID_ARGS|TOOL_ERROR)$/)
        assert.ok(performance.now() - before < MOST_MS)
        await probe()
      },
      fast: 6,
    })
  })
})

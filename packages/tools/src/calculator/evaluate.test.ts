import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import { decimals } from './decimal.ts'
import { evaluate } from './evaluate.ts'

const results = (cases: readonly (readonly [string, string])[]): void => {
  for (const [expr, value] of cases) assert.equal(evaluate(expr), value, expr)
}

const refused = (exprs: readonly string[], message = /./): void => {
  for (const expr of exprs) {
    assert.throws(() => evaluate(expr), { name: 'ToolError', code: 'INVALID_ARGS', message }, expr)
  }
}

suite('evaluate', () => {
  test('decimals are exact, and each value has one spelling', () => {
    results([
      ['0.1+0.2', '0.3'],
      ['1/3*3', '1'],
      ['1/3*3 - 1', '0'],
      ['sqrt(2)^2 - 2', '0'],
      ['10^50 + 1 - 10^50', '1'],
      ['10/4', '2.5'],
      ['( ( 8.0 - 3.0 ) * 2.0 )', '10'],
      ['0 * -1', '0'],
      ['30!', '265252859812191058636308480000000'],
      ['1/8', '0.125'],
      ['1e3', '1000'],
      ['10^60', `1${'0'.repeat(60)}`],
      ['8^(1/3)', '2'],
      ['-2^2', '-4'],
      ['2^3^2', '512'],
      [`${'1+'.repeat(999)}1`, '1000'],
      ['-7 % 3', '2'],
    ])
  })

  test('rational steps are exact until the result is rounded once', () => {
    results([
      ['floor(1/3*3)', '1'],
      ['floor(100/3*3)', '100'],
      ['5 % (1/3*3)', '0'],
      ['ceil(1/49*49)', '1'],
      ['round(1/3*1.5)', '1'],
      ['round(-2.5)', '-3'],
      ['min(1/3*3, 1) + max(1/7*7, 1)', '2'],
      ['(1/3)^100 * 3^100', '1'],
      ['(2/3)^-3', '3.375'],
      ['sqrt(4/9)*3 + cbrt(8/27)*3 + (1/16)^(3/4)*8', '5'],
      ['7^2024 % 10', '1'],
      ['1000! % 7', '0'],
      ['10^4000 + 1 - 10^4000', '1'],
      ['mean(1/3, 1/3, 1/3)*3', '1'],
    ])
  })

  test('a whole number is printed in full up to 1,000 digits', () => {
    results([
      ['2^200', String(2n ** 200n)],
      ['-(3^110)', String(-(3n ** 110n))],
      ['10^60 + 1', `1${'0'.repeat(59)}1`],
      ['123456789012345678901234567890^2', String(123456789012345678901234567890n ** 2n)],
      ['10^1000 - 1', '9'.repeat(1000)],
      ['1 - 10^1000', `-${'9'.repeat(1000)}`],
      ['10^1000', '1e+1000'],
      ['10^1000 + 1', '1e+1000'],
      // A fraction is still rounded.
      ['2^200 / 3', '5.356460147529967585139873641137208675074009979276e+59'],
      ['sqrt(2)^401', '2.2725535760843609161416579029496473159795819760432e+60'],
    ])
  })

  test('an irrational computation with an exact result prints that result', () => {
    results([
      ['floor(sqrt(2)^2)', '2'],
      ['ceil(log10(1000))', '3'],
      ['5 % (sqrt(3)^2/3)', '0'],
      ['sign(sqrt(2)^2 - 2)', '0'],
      ['sin(pi) + cos(pi/2) + tan(pi)', '0'],
      ['floor(1000!/998!)', '999000'],
      ['floor(e^(pi*sqrt(163)))', '262537412640768743'],
      ['exp(1e-20) - 1', '0.000000000000000000010000000000000000000050000000000000000000166666667'],
    ])
  })

  test('a value that changes with more digits, or that underflows, is refused', () => {
    refused(
      ['sqrt(2)*10^390 % 7', 'floor(pi*10^400)', '7^100000 % 10', 'exp(1e-380)-1'],
      /enough digits/,
    )
    refused(['floor(log10(10^300-1))', 'floor(log2(2^900-1))', 'tan(pi/2)'], /enough digits/)
    refused(
      ['ceil(sqrt(2)^2 + 1e-240)', '(sqrt(1+1e-390)-1)*1e391', 'sin(pi+1e-250)'],
      /enough digits/,
    )
    refused(
      ['exp(exp(-600)) - 1', 'sign(ln(1 + exp(-900)))', 'atan(exp(900)) - pi/2'],
      /enough digits/,
    )
    refused(['0.5^1e17', 'exp(-1e17)'], /too small/)
    refused(['1e-9999999999999999', '1e99999999999999999'], /15 digits/)
    refused(['sin(1e2000)', 'cos(1e101)'], /below 1e100/)
  })

  test('an apparent rounding error is recomputed with more digits', () => {
    results([
      ['floor(log10(10^90-1))', '89'],
      ['floor(log10(10^90))', '90'],
      ['ceil(log10(10^90+1))', '91'],
      ['floor(log2(2^400-1))', '399'],
      ['log2(2^400) + log10(1e-90) + log(9^80, 1/9)', '230'],
      ['ceil(sqrt(2)^2+1e-100)', '3'],
      ['floor(sqrt(2)^2-1e-100)', '1'],
      ['(sqrt(1+1e-90)-1)*1e91', '5'],
      ['sin(pi+1e-90)*1e90', '-1'],
      ['sign(sqrt(1+1e-120)-1)', '1'],
      ['floor(sqrt(10^100-1))', '9'.repeat(50)],
      ['ln(1+1e-110)*1e110', '1'],
      ['ln((1+1e-110)^1e112)', '100'],
      ['acos(1-1e-90)*1e45', '1.4142135623730950488016887242096980785696718753769'],
      ['(exp(exp(-200))-1)*exp(200)', '1'],
      ['floor(1e60*sqrt(2)^2)-2e60', '0'],
      ['sqrt(2)*10^70 % 7', '1.7846210703885038753432764157273501384623091229702'],
    ])
  })

  test('common notation is accepted', () => {
    results([
      ['5 × 3 ÷ 2 − 1', '6.5'],
      ['5*10**2', '500'],
      ['$1,234.50 * 2', '2469'],
      ['20*.01', '0.2'],
      ['+5 - .5', '4.5'],
      ['48/2 =', '24'],
      ['48/2 = ?', '24'],
      ['[2 + {3 * (4)}]', '14'],
      ['√9 + √(16) + 2²', '11'],
      ['3 x 4', '12'],
      ['2(3)', '6'],
      ['1\n+ 2', '3'],
      ['3x4x.5', '6'],
      ['2 x exp(0)', '2'],
      ['10x(2+3)', '50'],
      ['$-5 + $(3 + 4)', '2'],
      ['10.*2', '20'],
      ['.75(.4) + .5(2)', '1.3'],
      ['$40*5%', '2'],
    ])
  })

  test('a whole number followed by a fraction is a mixed number', () => {
    results([
      ['3 1/2', '3.5'],
      ['6 * 2 1/2 - 1 3/4', '13.25'],
      ['-2 1/2%', '-0.025'],
      ['2½ x ½', '1.25'],
      ['5 ¾ + ¼', '6'],
    ])
    refused(['6/2 1/2', '2^2 1/2', '1 1/2/2', '1 1/2(4)', '3 3/2', '1/2 1/2', '2 1/2 1/4'])
  })

  test('a number that is not decimal is refused with a hint', () => {
    refused(['0x10', '2*0x5', '0b11', '0o7'], /two readings/)
    refused(['1,50*4', '5,0000 + 1', '1,000,00'], /are not thousands separators/)
  })

  test('a per cent sign means hundredths, and modulo before an operand', () => {
    results([
      ['25%', '0.25'],
      ['25 % * 4', '1'],
      ['7 % 3', '1'],
      ['7%3', '1'],
      ['20% of $1,200.00', '240'],
      ['50%+20%', '0.7'],
      ['100% - 30%', '0.7'],
      ['1 - 20%', '0.8'],
      ['-(3)%', '-0.03'],
    ])
  })

  test('an ambiguous expression is refused with both readings', () => {
    refused(['100-10%', '200 + 5%'], /write .* \* \(1 . .*%\) or .* . \(.*%\)/)
    refused(['6/2(1+2)', '1/2(4)', '(6)/2(3)'], /two readings/)
    refused(['7 % -3'], /modulo or per cent/)
    refused(['max(1,000,2,000)', 'max(1,000, 2)', 'round(1,234)', 'log(1,024)'], /thousands/)
    results([
      ['100 - (10%)', '99.9'],
      ['100 * (1 - 10%)', '90'],
      ['max(120,450)', '450'],
      ['max((1,234), 2)', '1234'],
      ['round(2.345,2)', '2.35'],
      ['(max(1,2) + 1,234)', '1236'],
    ])
  })

  test('functions of numbers', () => {
    results([
      ['sqrt(2)^2', '2'],
      ['abs(-3) + floor(2.7) + ceil(2.1) + round(2.5)', '11'],
      ['gcd(12, 18) + lcm(4, 6)', '18'],
      ['log(8, 2) + log10(1000) + log2(4) + ln(1)', '8'],
      ['min(3, 1, 2) + max(3, 1, 2) + sum(1, 2) + mean(1, 2)', '8.5'],
      ['sign(-2) + sign(0) + cbrt(27) + factorial(3)', '8'],
      ['exp(0) + cos(0) + sin(0) + tan(0) + atan(0) + asin(0) + acos(1)', '2'],
      ['pow(2, 10) + mod(7, 4)', '1027'],
      ['round(pi, 4)', '3.1416'],
    ])
    refused(['sqrt(1, 2)', 'max()', 'log(1, 2, 3)'], /takes .* arguments/)
    refused(['factorial(1001)', '2.5!', 'gcd(1.5, 2)', 'round(1, 99)'])
  })

  test('a value that is not finite and real is refused at every step', () => {
    refused(['1/0', '1/(1/0)', '7 % 0', 'sqrt(-1)', 'ln(0)', '9^9^9^9', '(-8)^0.5'], /finite/)
  })

  test('[DD-16] input that is not arithmetic is refused without any effect', () => {
    refused([
      'zeros(20000,20000)',
      'isPrime(2^127-1)',
      'a=1',
      'f(x)=x',
      'import("fs")',
      '(1).constructor',
      'constructor(1)',
      'toString(1)',
      '__proto__',
      'evaluate("1")',
      '[1,2]',
      '[1;2]',
      '{a: 1}',
      '1:1e9',
      '5 cm to m',
      '"text"',
      'random()',
      'true',
      'Infinity',
      '3i',
      '1 < 2',
      '1 ? 2 : 3',
      '1; 2',
      '1 # 2',
      "[1]'",
    ])
    refused(['', ' ', '=', '1 +', '2 3', '1,23', '1,2345', '(1', '1)', '(1]'])
    refused(['1+'.repeat(50_000) + '1'], /2000 characters/)
    refused([`${'('.repeat(65)}1${')'.repeat(65)}`], /64 deep/)
    refused([`${'-'.repeat(1999)}x`, `${'2^'.repeat(999)}2`])
  })

  test('the fingerprint reveals changed settings', () => {
    const work = decimals(70)
    const sound = work.fingerprint()
    for (const left of [{ precision: 71 }, { precision: 2000 }, { rounding: 1 }]) {
      Object.assign(work.pi.constructor, left)
      assert.notEqual(work.fingerprint(), sound, JSON.stringify(left))
      Object.assign(work.pi.constructor, { precision: 70, rounding: 4 })
    }
    assert.equal(work.fingerprint(), sound)
  })

  test('agrees with whole-number arithmetic', () => {
    const whole = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
    fc.assert(
      fc.property(whole, whole, whole, (a, b, c) => {
        assert.equal(evaluate(`(${a} + ${b}) * ${c} - ${a}`), String((a + b) * c - a))
      }),
    )
  })

  test('any text is evaluated or refused', () => {
    const token = fc.constantFrom(
      ...'0 1 7 .5 1,234 + - * / ^ % ! ( ) , x e sqrt max of $ ='.split(' '),
    )
    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 12 }), (tokens) => {
        try {
          assert.match(evaluate(tokens.join('')), /^-?\d+(\.\d+)?(e[+-]\d+)?$/)
        } catch (error) {
          assert.ok(error instanceof Error && 'code' in error && error.code === 'INVALID_ARGS')
        }
      }),
    )
  })
})

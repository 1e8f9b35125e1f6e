import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import type { SettingsSource } from './settings-source.ts'
import { yamlSource } from './yaml-source.ts'
import { KNOWN } from '../compose/config.ts'

const read = (text: string): Promise<SettingsSource> =>
  yamlSource(KNOWN.all, { path: 'config.yaml', text, problem: null, isShared: false })

const BOMB = `a: &a [x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]
`

/** An invalid file and its expected message. */
const WRONG: Readonly<Record<string, readonly [text: string, problem: RegExp]>> = {
  'a key that comes twice': [
    'budget:\n  max_seconds: 1\n  max_seconds: 2\n',
    /^config\.yaml:3: max_seconds: this key appears twice; keep one of them$/,
  ],
  'a tab': ['budget:\n\tmax_seconds: 1\n', /^config\.yaml:2: max_seconds: a tab indents this line/],
  'a wrong indentation': [
    'budget:\n  max_seconds: 1\n max_tokens: 2\n',
    /^config\.yaml:3: max_tokens: the indentation is wrong$/,
  ],
  'a quote without an end': ['run:\n  artifacts: "x\n', /^config\.yaml:\d: .*is missing$/],
  'a bracket without an end': ['security:\n  denied_tools: [a, b\nrun:\n', /^config\.yaml:\d: /],
  'a second document': ['run:\n---\nact:\n', /^config\.yaml:2: the file holds a second document/],
  'a colon inside a value': ['run:\n  artifacts: a: b\n', /^config\.yaml:2: .*put it in quotes$/],
  'a tag': ['run: !env X\n', /^config\.yaml:1: run: a tag \(!name\) has no meaning here/],
  'a key that is not a word': ['? [a]\n: 1\n', /^config\.yaml:1: a key must be a word$/],
  'a list': [
    '- budget\n',
    /^config\.yaml holds no settings; write them as section: and key: value$/,
  ],
  'a text': ['budget', /^config\.yaml holds no settings/],
  'an alias without an anchor': ['run: *x\n', /^config\.yaml has an alias without an anchor/],
  'aliases that unfold to far too much': [
    BOMB,
    /^config\.yaml expands its aliases to far too much/,
  ],
  'brackets that nest without end': [
    '['.repeat(20_000),
    /^config\.yaml:1: this is nested too deeply$/,
  ],
}

suite('[R15.4] an invalid file is reported in one sentence, with', () => {
  for (const [what, [text, problem]] of Object.entries(WRONG)) {
    test(what, async () => {
      const { values, problems } = await read(text)
      assert.match(problems[0] ?? 'nothing is wrong', problem)
      assert.ok(problems.length <= 10)
      assert.deepEqual(values, [])
    })
  }
})

suite('a file', () => {
  test('that is empty or holds only comments has no settings', async () => {
    for (const text of ['', '\n', '# nothing', '---\n', 'budget:\n  # max_seconds: 5\n']) {
      assert.deepEqual(await read(text), { values: [], problems: [], warnings: [] })
    }
  })

  test('gives each value the line of its key, also behind an anchor', async () => {
    const { values } = await read(
      '# a comment\nbudget: &own\n  max_seconds: 1\n\n  max_tokens: 2\nmodes: {fallback_only: {budget: *own}}\n',
    )
    assert.deepEqual(
      values.map(({ at, origin }) => [at.join('.'), origin.from === 'file' && origin.line]),
      [
        ['budget.max_seconds', 3],
        ['budget.max_tokens', 5],
        ['modes.fallback_only.budget.max_seconds', 6],
        ['modes.fallback_only.budget.max_tokens', 6],
      ],
    )
  })

  test('never quotes part of a key that stands in the place of a name or another value', async () => {
    const PIECE = 'hunter2hunter2hunter2'
    for (const slip of [
      `providers:\n  openai:\n    api_key: sk\n${PIECE}\n :    base_url: http://x/v1\n`,
      `providers:\n  openai:\n    api: ke" s"k-${PIECE}\n`,
    ]) {
      const { problems } = await read(slip)
      assert.equal(problems.length, 1)
      assert.doesNotMatch(problems.join('\n'), /hunter2/)
    }
  })

  test('never quotes its secrets, however it is broken', async () => {
    const SECRET = 'sk-hunter2hunter2hunter2hunter2'
    const whole = `providers:\n  openai:\n    api_key: ${SECRET}\n    base_url: http://x/v1\nrun:\n  seed: 7\n`
    const part = fc.record({
      at: fc.nat(whole.length),
      cut: fc.nat(3),
      text: fc.constantFrom(
        '"',
        "'",
        '\t',
        '\n',
        ': ',
        '- ',
        '*',
        '&',
        '!',
        '%',
        '@',
        '[',
        '}',
        '\\',
        ' ',
      ),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 3 }), async (parts) => {
        const broken = parts.reduce(
          (text, { at, cut, text: put }) => text.slice(0, at) + put + text.slice(at + cut),
          whole,
        )
        const { problems } = await read(broken)
        assert.doesNotMatch(problems.join('\n'), /hunter2hunter2/, broken)
      }),
      { numRuns: 1000 },
    )
  })
})

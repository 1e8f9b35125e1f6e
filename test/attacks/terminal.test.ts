import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { clean, cleanLines } from '../../cli/src/terminal/clean.ts'
import { runCommand } from '../../cli/src/testing/run-command.ts'
import { guarded, guardOutput } from '../../cli/src/terminal/visible.ts'
import { tried } from './tried.ts'

const ESC = '\u001b'
const folder = mkdtempSync(join(tmpdir(), 'echelon-terminal-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Characters that control a terminal or reorder text. */
const STEERING: readonly string[] = [
  ...Array.from({ length: 32 }, (_, code) => String.fromCharCode(0x80 + code)),
  '\u202a',
  '\u202b',
  '\u202c',
  '\u202d',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
  '\u061c',
  '\u200e',
  '\u200f',
  '\u2028',
  '\u2029',
  ...Array.from({ length: 128 }, (_, code) => String.fromCodePoint(0xe0000 + code)),
  '\u007f',
  ESC,
  `${ESC}]0;title\u0007`,
  `${ESC}]52;c;aGk=\u0007`,
  `${ESC}]8;;http://evil.example${ESC}\\`,
  `${ESC}P$q"p${ESC}\\`,
  `${ESC}_x${ESC}\\`,
  `${ESC}^x${ESC}\\`,
  `${ESC}X x${ESC}\\`,
  `${ESC}c`,
  `${ESC}[6n`,
  `${ESC}[c`,
  `${ESC}[?1049h`,
  `${ESC}[5i`,
  `${ESC}#8`,
  `${ESC}%G`,
  `${ESC}[200~`,
  `${ESC}[>4;2m`,
  `${ESC}[21t`,
  `${ESC}[1;1\u0007H`,
  `${ESC}${ESC}[2J`,
  '\u009b2J',
  '\u009d0;title\u009c',
  '\u0090x\u009c',
]

/** Sequences like those of our own interface, which within a text would forge a line. */
const FORGING: readonly string[] = [
  `[2J [0J [1;1H [9;9H [5A [1G [K [2K [3S [2T 7 8 [8m [30m [40m [30;40m [31;41m [7m [38;5;0m [1;8m [m [5m`,
  '[?25l [?7l [?2004l [?2026h',
]
  .flatMap((sequences) => sequences.split(' '))
  .map((sequence) => `${ESC}${sequence}`)
  .concat('\r', '\b', '\u0007', '\r\r\n', `${ESC}[5A${ESC}[K`)

const code = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
const shown = (text: string): string => JSON.stringify(text).replaceAll(/[\u007f-\uffff]/g, code)

/** Control characters that no output may contain, except for our own styles and cursor movement. */
const OBEYED =
  // oxlint-disable-next-line no-control-regex
  /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|\u001b(?!\[\d{1,2}m)/u

suite('steer the terminal by a text', () => {
  test('control characters in a text are shown as codes, whole or cut anywhere', async (t) => {
    await tried(t, {
      cases: STEERING,
      named: shown,
      fast: STEERING.length,
      hold(text) {
        const within = `before ${text} after`
        for (const made of [clean(within), cleanLines(within)]) {
          // oxlint-disable-next-line no-control-regex
          assert.doesNotMatch(made, /[\u0000-\u0008\u000b-\u001f]/)
          assert.doesNotMatch(made, OBEYED)
          assert.match(made, /before .*\\u[0-9a-f]{4}.*after/)
        }
        for (let at = 0; at <= within.length; at++) {
          const parts = `${cleanLines(within.slice(0, at))}${cleanLines(within.slice(at))}`
          assert.doesNotMatch(parts, OBEYED)
        }
      },
    })
  })

  test('the last filter lets through only what this program writes itself', async (t) => {
    await tried(t, {
      cases: STEERING,
      named: shown,
      fast: STEERING.length,
      hold(text) {
        assert.doesNotMatch(guarded(`a ${text} b`), OBEYED)
        const json = guarded(JSON.stringify({ text }, null, 2))
        assert.doesNotMatch(json, OBEYED)
        assert.deepEqual(JSON.parse(json), { text })
      },
    })
  })

  test('next to a text nothing moves the cursor, clears or hides', async (t) => {
    await tried(t, {
      cases: FORGING,
      named: shown,
      fast: FORGING.length,
      hold(sequence) {
        for (const text of [`a${sequence}b`, `${sequence}b`, `a${sequence}`, `\n${sequence}`]) {
          // oxlint-disable-next-line no-control-regex
          assert.doesNotMatch(guarded(text), /[\u0007\b\u001b]|\r(?!\n)/)
        }
      },
    })
  })

  test('our own interface gets through', () => {
    const text = `${ESC}[1mbold${ESC}[22m ${ESC}[2mdim${ESC}[22m ${ESC}[36mx${ESC}[39m\r\n`
    const alone = ['\r', `${ESC}[1G`, `${ESC}[5A`, `${ESC}[0J`, `${ESC}[2K`, `${ESC}[1;1H`]
    for (const own of [
      text,
      ...alone,
      `${ESC}[?25l`,
      `${ESC}[?2026h`,
      `${ESC}[?2004h`,
      `${ESC}7`,
    ]) {
      assert.equal(guarded(own), own)
    }
    for (const hidden of [`${ESC}[8m`, `${ESC}[2J`, `${ESC}[9;9H`, '\b', '\u0007', `${ESC}[30m`]) {
      assert.notEqual(guarded(hidden), hidden)
    }
  })

  test('bytes are filtered too, with any chunk boundaries', () => {
    const seen: unknown[] = []
    const stream = Object.assign(Object.create(process.stdout), {
      write: (chunk: unknown) => seen.push(chunk) > 0,
    })
    guardOutput([stream])
    const bytes = Buffer.from(`caf\u00e9 \u009b2J ${ESC}[8m \u202e`)
    stream.write(bytes)
    for (const byte of bytes) stream.write(Uint8Array.of(byte))
    const shownOnce = 'caf\u00e9 \\u009b2J \\u001b[8m \\u202e'
    assert.equal(seen.join(''), shownOnce.repeat(2))
  })

  test("no command prints a project's name or text unescaped", async (t) => {
    const evil = `a${ESC}]0;owned\u0007\u009b2J\u202eb`
    const file = join(folder, 'session.json')
    writeFileSync(file, evil)
    writeFileSync(
      join(folder, '.mcp.json'),
      JSON.stringify({ mcpServers: { [evil]: { command: evil, args: [evil] }, bad: evil } }),
    )
    const knowledge = join(folder, `${evil.replaceAll('/', '')}.md`)
    writeFileSync(knowledge, `# ${evil}\n\n${evil} penguin\n`)
    const commands = [
      ['solve', evil],
      ['solve', evil, '--json'],
      ['chat', '--no-store', evil],
      ['chat', '--no-store', '--json', evil],
      ['assist', '--json', evil],
      ['tools', 'list'],
      ['tools', 'allow', evil],
      ['knowledge', 'add', knowledge],
      ['knowledge', 'search', 'penguin', '--json'],
      ['knowledge', 'list', '--json'],
      ['runs', 'list', '--json', '--all'],
      ['runs', 'show', evil],
      ['state', 'doctor', file],
      ['skills', 'list', evil],
      ['chat', '--resume', evil],
      [evil],
      ['--config', evil, 'config'],
    ]
    await tried(t, {
      cases: commands,
      named: (args) => shown(args.join(' ')),
      fast: 6,
      async hold(args) {
        const { stdout, stderr } = await runCommand(args, folder, {
          env: { XDG_CONFIG_HOME: folder },
        })
        assert.doesNotMatch(stdout, OBEYED)
        assert.doesNotMatch(stderr, OBEYED)
        assert.notEqual(stdout + stderr, '')
        if (!args.includes('--json')) return
        // oxlint-disable-next-line no-control-regex
        assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f]/)
        if (stdout !== '') JSON.parse(stdout)
      },
    })
  })
})

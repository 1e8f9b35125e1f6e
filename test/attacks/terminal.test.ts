import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { clean, cleanLines } from '../../cli/src/clean.ts'
import { begin, finish } from '../../cli/src/testing/run-command.ts'
import { guarded } from '../../cli/src/visible.ts'
import { tried } from './tried.ts'

const ESC = '\u001b'
const folder = mkdtempSync(join(tmpdir(), 'echelon-terminal-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** What makes a terminal do something, or turns what is read around. */
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

const code = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
const shown = (text: string): string => JSON.stringify(text).replaceAll(/[\u007f-\uffff]/g, code)

/** What no output may hold, whatever was read. */
// oxlint-disable-next-line no-control-regex
const OBEYED = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\u001b(?!\[[\d;]*[A-HJKSTm])/

suite('steer the terminal by a text', () => {
  test('what a text holds is shown by its code, whole or cut anywhere', async (t) => {
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
          assert.match(made, /before .*\\u00[0-9a-f]{2}.*after|before .*\\u20[0-9a-f]{2}.*after/)
        }
        for (let at = 0; at <= within.length; at++) {
          const parts = `${cleanLines(within.slice(0, at))}${cleanLines(within.slice(at))}`
          assert.doesNotMatch(parts, OBEYED)
        }
      },
    })
  })

  test('the last wall lets through only what this program writes itself', async (t) => {
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
    const own = `${ESC}[1mbold${ESC}[22m ${ESC}[2K${ESC}[1A${ESC}[?25l${ESC}[?2004h\r\n`
    assert.equal(guarded(own), own)
  })

  test('no command hands a name or a text of a project on as it stands', async (t) => {
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
        const { stdout, stderr } = await finish(begin(args, folder, { XDG_CONFIG_HOME: folder }))
        assert.doesNotMatch(stdout, OBEYED)
        assert.doesNotMatch(stderr, OBEYED)
        assert.notEqual(stdout + stderr, '')
        if (args.includes('--json') && stdout !== '') JSON.parse(stdout)
      },
    })
  })
})

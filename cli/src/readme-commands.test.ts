import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Command } from 'commander'
import { COMMANDS } from './program.ts'
import { capturedIo } from './testing/captured-io.ts'
import { folderFor, runCommand } from './testing/run-command.ts'
import { noTerminal, spawnedOnTerminal } from './testing/spawned-terminal.ts'
import { typeAll } from './testing/terminal.ts'

const ROOT = join(import.meta.dirname, '../..')
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8')
const BEGINNERS = textOf('docs/getting-started.md')
const PAGE = textOf('docs/command-line.md')
const PAGES = [
  textOf('README.md'),
  BEGINNERS,
  PAGE,
  ...['overview', 'providers', 'evaluation'].map((name) => textOf(`docs/${name}.md`)),
].join('\n')

/** Runs the command as in a clone, without a key. */
const IN_A_CLONE = { npm_lifecycle_event: 'start', npm_package_name: 'echelon-workspace' }

/** Block of the getting-started page that begins with a line. */
function shown(begins: RegExp): string {
  const blocks = [...BEGINNERS.matchAll(/^```text\n(.*?)^```$/gms)].map(([, block = '']) => block)
  const block = blocks.find((one) => begins.test(one))
  assert.ok(block !== undefined, `no output begins with ${begins}`)
  return block
}

test('the first command prints what the getting-started page shows', async (t) => {
  const { stdout, stderr } = await runCommand(['decide', 'What is 15 * 23?'], folderFor(t), {
    env: IN_A_CLONE,
  })
  assert.equal(shown(/^offline models/), stderr + stdout)
})

test(
  'the conversation with the support agent goes as the page for beginners shows it',
  { skip: noTerminal },
  async (t) => {
    const block = shown(/^Acting for/)
    const turns = block.split(/^> /m)
    const said = turns.slice(1).map((turn) => turn.split('\n')[0] ?? '')
    const place = { folder: folderFor(t), more: IN_A_CLONE }
    const keys = [...said.map((line) => ['> ', `${line}\r`] as const), ['> ', '\u0004'] as const]
    const { screen } = await typeAll(spawnedOnTerminal(['support'], place), keys)
    const withoutId = (text: string): string => text.replace(/--session \w+/, '--session ID')
    const seen = withoutId(screen)
    assert.ok(seen.startsWith(withoutId(turns[0]?.trimEnd() ?? '')), seen)
    let from = 0
    for (const line of withoutId(block).split('\n')) {
      if (line.startsWith('> ')) continue
      const at = seen.indexOf(line, from)
      assert.notEqual(at, -1, `${line}\nis not on the screen:\n${seen}`)
      from = at + line.length
    }
  },
)

async function program(): Promise<Command> {
  const all = new Command('echelon').option('--config <file>').option('--wall <mode>')
  all.option('--version').option('--help')
  for (const load of Object.values(COMMANDS))
    all.addCommand(await load(capturedIo(), () => undefined))
  return all
}

/** The command that the words name, with its parents. */
function named(words: readonly string[], from: Command): readonly Command[] {
  const below = from.commands.find((command) => command.name() === words[0])
  return below === undefined ? [from] : [from, ...named(words.slice(1), below)]
}

const hasOption = (commands: readonly Command[], option: string): boolean =>
  option === '--help' || commands.some(({ options }) => options.some(({ long }) => long === option))

test('each command line of the pages names a command and options that exist', async () => {
  const echelon = await program()
  const lines = [...PAGES.matchAll(/npm start --silent -- ([^`\n#]+)/g)].map(
    ([, line = '']) => line,
  )
  assert.ok(lines.length > 35)
  for (const line of lines) {
    const [own = ''] = line.replaceAll(/"[^"]*"/g, 'TEXT').split(' -- ')
    const words = own.trim().split(/\s+/)
    const commands = named(words, echelon)
    assert.ok(commands.length > 1, line)
    for (const word of words.filter((one) => one.startsWith('--'))) {
      assert.ok(hasOption(commands, word), `${word} of ${line}`)
    }
  }
})

test('each option in the command-line page exists', async () => {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)]
  const commands = all(await program())
  const options = new Set(
    [...PAGE.matchAll(/(?<=[`\s(])--[a-z][a-z-]+/g)].map(([option]) => option),
  )
  assert.ok(options.size > 50)
  // Options of npm, not of the command.
  options.delete('--silent')
  assert.deepEqual(
    [...options].filter((option) => !hasOption(commands, option)),
    [],
  )
})

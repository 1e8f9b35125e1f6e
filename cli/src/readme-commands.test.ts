import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Command } from 'commander'
import { COMMANDS } from './program.ts'
import { capturedIo } from './testing/captured-io.ts'
import { finish, folderFor, spawned } from './testing/run-command.ts'
import { noTerminal, spawnedOnTerminal } from './testing/spawned-terminal.ts'
import { typeAll } from './testing/terminal.ts'

const ROOT = join(import.meta.dirname, '../..')
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const PAGE = readFileSync(join(ROOT, 'docs/command-line.md'), 'utf8')

/** As the command is started in a clone, without a key. */
const IN_A_CLONE = { npm_lifecycle_event: 'start', npm_package_name: 'echelon-workspace' }

/** What the README shows, beginning with a line. */
function shown(begins: RegExp): string {
  const blocks = [...README.matchAll(/^```text\n(.*?)^```$/gms)].map(([, block = '']) => block)
  const block = blocks.find((one) => begins.test(one))
  assert.ok(block !== undefined, `no output begins with ${begins}`)
  return block
}

test('the first command of the README prints what the README shows', async (t) => {
  const child = spawned(['decide', 'What is 15 * 23?'], folderFor(t), IN_A_CLONE)
  const { stdout, stderr } = await finish(child)
  assert.equal(shown(/^offline models/), stderr + stdout)
})

test(
  'the conversation with the support agent goes as the README shows it',
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

/** The command that words name, with those above it. */
function named(words: readonly string[], from: Command): readonly Command[] {
  const below = from.commands.find((command) => command.name() === words[0])
  return below === undefined ? [from] : [from, ...named(words.slice(1), below)]
}

const hasOption = (commands: readonly Command[], option: string): boolean =>
  option === '--help' || commands.some(({ options }) => options.some(({ long }) => long === option))

test('each command line of the README names a command and options that there are', async () => {
  const echelon = await program()
  const lines = [...README.matchAll(/npm start --silent -- ([^`\n#]+)/g)].map(
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

test('each option that the page of the command speaks of is there', async () => {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)]
  const commands = all(await program())
  const options = new Set(
    [...PAGE.matchAll(/(?<=[`\s(])--[a-z][a-z-]+/g)].map(([option]) => option),
  )
  assert.ok(options.size > 50)
  // Of npm, and of no command.
  options.delete('--silent')
  assert.deepEqual(
    [...options].filter((option) => !hasOption(commands, option)),
    [],
  )
})

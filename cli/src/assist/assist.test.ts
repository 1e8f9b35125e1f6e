import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startModelServer } from 'echelon/testing'
import { echelon, folderFor, type Ran, runCommand, runWithSignal } from '../testing/run-command.ts'
import { onTerminal } from '../testing/terminal.ts'

const run = (folder: string, ...args: string[]): Promise<Ran> => runCommand(args, folder)
const piped = (folder: string, input: string, ...args: string[]): Promise<Ran> =>
  runCommand(['assist', ...args], folder, { input })

describe('echelon assist', () => {
  test('without a model and an intent says in a sentence what it cannot do, and offers what it can', async (t) => {
    const { status, stdout, stderr } = await echelon(t, 'assist', 'I miss my family')
    assert.equal(status, 0)
    assert.match(stdout, /^No model is set, so I cannot answer this\. I can ask about a decision/)
    assert.doesNotMatch(stdout, /financial independence|meaningful tech/)
    assert.match(
      stderr,
      /^no model answers \(no OPENAI_API_KEY\), so questions are not answered; I can/,
    )
    assert.match(stderr, /\nthis intent is only an example; echelon intent edit .* kept in .*\/\n$/)
  })

  test('runs through a pipe, with commands that show intent, plan and why', async (t) => {
    const folder = folderFor(t)
    const lines = ['/why', 'Should I move?', '/plan', '/intent', 'Oh great, another list', '/why']
    const { status, stdout } = await piped(folder, `${lines.join('\n')}\n/stop\nnot said`)
    assert.equal(status, 0)
    assert.match(stdout, /^nothing was said yet\n/)
    assert.match(stdout, /\naltitude {5}L3 \(weighs ways and trade-offs\)\n/)
    assert.match(stdout, /\nnon-goals {4}endless analysis\n/)
    assert.match(stdout, /so I stop here\..*\nintent +ends the turn \(user\)\n/s)
    assert.match(stdout, /because frustration detected\n +“Oh great, another list”\noutcome +frust/)
    assert.ok(existsSync(join(folder, 'memory/evaluations.json')))
    assert.ok(!existsSync(join(folder, 'memory/intent.json')))
    for (const file of ['plans', 'evaluations']) {
      const kept = readFileSync(join(folder, `memory/${file}.json`), 'utf8')
      assert.doesNotMatch(kept, /another list|move\?/)
    }
  })

  test('--json prints one object per turn, and nothing else on stdout', async (t) => {
    const { stdout, stderr } = await piped(folderFor(t), 'hello\nstop\n', '--json')
    const [first, second] = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    assert.deepEqual(Object.keys(Object(first)).toSorted(), [
      'evaluation',
      'is_question',
      'outcome',
      'plan',
      'text',
      'why',
    ])
    assert.equal(Object(second).outcome, 'stopped')
    assert.equal(stderr, '')
  })

  test('a failed model call is one line with what to do', async (t) => {
    const refusal = { type: 'status', status: 401, message: 'Incorrect API key provided.' } as const
    await using server = await startModelServer(Array.from({ length: 8 }, () => refusal))
    const given = ['--model', 'openai-compatible/m', '--base-url', server.baseUrl]
    const { status, stdout, stderr } = await echelon(t, 'assist', ...given, 'Should I move?')
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(
      stderr,
      /^echelon: openai-compatible\/m: the key is missing or wrong \(Incorrect API key provided\); set a valid API key for openai-compatible$/m,
    )
  })

  test('a flattering draft is revised, and withheld the second time', async (t) => {
    const flattery = { type: 'reply', text: ['What a brilliant idea! You are so wise.'] } as const
    await using server = await startModelServer([flattery, flattery])
    const model = ['--model', 'openai-compatible/m', '--base-url', server.baseUrl]
    const rules = ['--planner', 'none', '--evaluator', 'none']
    const { status, stdout } = await run(
      folderFor(t),
      'assist',
      ...model,
      ...rules,
      'Should I leave my team?',
    )
    assert.equal(status, 1)
    assert.doesNotMatch(stdout, /brilliant/)
    assert.match(
      stdout,
      /I held my answer back: .*“sycophancy”, which the example intent rules out/,
    )
    // Its values are not the user's, so they are not presented as what the user wants.
    assert.doesNotMatch(stdout, /financial|what you want/)
    assert.match(stdout, /To go on, ask for that.*one of your own\? echelon intent edit/)
    assert.equal(server.requests.length, 2)
    server.assertComplete()
  })

  test('an unreadable intent is reported, not guessed', async (t) => {
    const folder = folderFor(t)
    mkdirSync(join(folder, 'own'))
    writeFileSync(join(folder, 'own/intent.json'), '{\n  "north_stars": 7\n}\n')
    const { status, stdout } = await run(folder, 'assist', '--memory', 'own', 'hello')
    assert.equal(status, 1)
    assert.match(stdout, /cannot read your intent, .*intent\.json:2: north_stars: /)
  })
})

describe('[L-2] echelon intent', () => {
  test('shows the shipped intent and writes nothing', async (t) => {
    const folder = folderFor(t)
    const { status, stdout } = await run(folder, 'intent')
    assert.equal(status, 0)
    assert.match(stdout, /^north stars +family_present\n.*the default intent of Echelon/s)
    const { stdout: json } = await run(folder, 'intent', 'show', '--json')
    assert.equal(
      Object(JSON.parse(json)).current_success,
      'Be a cognitive partner, not a task manager',
    )
    assert.ok(!existsSync(join(folder, 'memory')))
    const { status: unknown, stderr } = await run(folder, 'intent', 'shwo')
    assert.equal(unknown, 2)
    assert.equal(stderr, 'echelon: intent has no command shwo; use show, edit or set\n')
  })

  test('sets a text, and adds to and removes from lists', async (t) => {
    const folder = folderFor(t)
    const set = (...args: string[]): Promise<Ran> => run(folder, 'intent', 'set', ...args)
    await set('current_success', 'Help', 'me', 'say no')
    await set('--add', 'non_goals', 'talk of football', 'gossip')
    await set('--remove', 'non_goals', 'sycophancy', 'gossip')
    await set('north_stars', 'health')
    const intent: unknown = JSON.parse(readFileSync(join(folder, 'memory/intent.json'), 'utf8'))
    assert.deepEqual(
      [Object(intent).current_success, Object(intent).non_goals, Object(intent).north_stars],
      ['Help me say no', ['endless analysis', 'feature stacking', 'talk of football'], ['health']],
    )
    const wrong = await Promise.all([
      set('--remove', 'non_goals', 'nothing'),
      set('goals', 'x'),
      set('--add', 'current_success', 'x'),
      set('current_success', ' '),
    ])
    assert.deepEqual(
      wrong.map(({ status }) => status),
      [2, 2, 2, 2],
    )
    assert.match(wrong[0]?.stderr ?? '', /non_goals does not hold “nothing”/)
  })

  test('an edit without a terminal is refused in one sentence, and starts no editor', async (t) => {
    const folder = folderFor(t)
    const { status, stdout, stderr } = await runCommand(['intent', 'edit'], folder, {
      env: { EDITOR: 'vi' },
    })
    assert.deepEqual([status, stdout], [2, ''])
    assert.match(stderr, /^echelon: an editor needs a terminal, .*intent\.json\n$/)
  })

  test('an edit replaces the intent if it is valid, and is kept in a file if not', async (t) => {
    const folder = folderFor(t)
    const editor = join(folder, 'editor.mjs')
    writeFileSync(
      editor,
      `#!${process.execPath}
import { readFileSync, writeFileSync } from 'node:fs'
const [from, to, file] = process.argv.slice(2)
writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
`,
    )
    chmodSync(editor, 0o700)
    const edit = (from: string, to: string): ReturnType<typeof onTerminal> => {
      const more = { EDITOR: `${editor} ${from} ${to}` }
      return onTerminal(['intent', 'edit'], [], { folder, more, columns: 500 })
    }
    assert.equal((await edit('family_present', 'health')).status, 0)
    const path = join(folder, 'memory/intent.json')
    const before = readFileSync(path, 'utf8')
    assert.match(before, /"health"/)
    const wrong = await edit('"non_goals"', '"goals"')
    assert.equal(wrong.status, 2)
    assert.match(wrong.screen, /intent\.json:4: goals is not known here/)
    const [, copy = ''] = /is kept in (\S+)/.exec(wrong.screen) ?? []
    assert.match(readFileSync(copy, 'utf8'), /"goals"/)
    assert.equal(readFileSync(path, 'utf8'), before)
    assert.match((await edit('absent', 'x')).screen, /nothing was changed/)
    const without = await onTerminal(['intent', 'edit'], [], { folder })
    assert.match(without.screen, /no editor is set; set EDITOR/)
  })
})

test('Ctrl-C cancels a turn of assist', async (t) => {
  await using server = await startModelServer([{ type: 'silence' }])
  const args = [
    'assist',
    '--model',
    'openai-compatible/m',
    '--base-url',
    server.baseUrl,
    'Should I move?',
  ]
  const when = (): boolean => server.requests.length > 0
  const { status, stdout, stderr } = await runWithSignal(args, folderFor(t), {
    signal: 'SIGINT',
    when,
  })
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /canceling …\nechelon: canceled\n$/)
})

test('an assist message that cannot be taken is an error', async (t) => {
  const { status, stdout, stderr } = await echelon(t, 'assist', 'x'.repeat(20_001))
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, /echelon: /)
})

describe('echelon assist on a terminal', () => {
  test('greets, answers, explains itself and stops', async (t) => {
    const { status, screen } = await onTerminal(
      ['assist'],
      [
        ['> ', 'Should I move to Berlin?\r'],
        ['cannot answer this', ''],
        ['> ', '/why\r'],
        ['outcome   answered', ''],
        ['> ', '/stop\r'],
      ],
      { folder: folderFor(t) },
    )
    assert.equal(status, 0, screen)
    assert.match(screen, /^echelon assist · no model: rules and north stars · \/help/)
  })

  test('asks a stranger three questions at most, and makes an intent of the answers', async (t) => {
    const folder = folderFor(t)
    const { status, screen } = await onTerminal(
      ['assist'],
      [
        ['help you with', 'deciding where to live\r'],
        ['separated by commas', 'my garden, calm\r'],
        ['never be', 'flattery\r'],
        ['your intent from now on', ''],
        ['> ', 'I miss my garden\r'],
        ['“my garden”', ''],
        ['> ', '/stop\r'],
      ],
      { folder },
    )
    assert.equal(status, 0, screen)
    const intent: unknown = JSON.parse(readFileSync(join(folder, 'memory/intent.json'), 'utf8'))
    assert.deepEqual(Object(intent).north_stars, ['my garden', 'calm'])
    assert.deepEqual(Object(intent).non_goals, ['flattery'])
    assert.equal(Object(intent).current_success, 'deciding where to live')
  })
})

test('assist --remember learns facts, which memory lists, finds, changes and forgets', async (t) => {
  const folder = folderFor(t)
  const { stderr } = await piped(
    folder,
    'I live in Graz.\nI am allergic to peanuts.\n',
    '--remember',
  )
  assert.match(stderr, /remembered: The user lives in Graz\. \(“I live in Graz\.”\)/)
  const { stderr: later } = await piped(folder, 'I moved to Linz.\n', '--remember')
  assert.match(later, /changed: The user lives in Graz\. → The user lives in Linz\./)
  assert.match((await run(folder, 'memory')).stdout, /Linz.*you said: “I moved to Linz\.”/s)
  assert.match((await run(folder, 'memory', 'search', 'food to avoid')).stdout, /peanuts/)
  assert.match((await run(folder, 'memory', 'change', 'n1', 'Lives in Wels')).stdout, /Wels/)
  assert.match((await run(folder, 'memory', 'add', 'seat', 'by the window')).stdout, /window/)
  assert.equal((await run(folder, 'memory', 'forget', 'n2')).stdout, '1 forgotten\n')
  const { stdout } = await run(folder, 'memory', '--json')
  assert.equal(JSON.parse(stdout).facts.length, 2)
  assert.equal((await run(folder, 'memory', 'forget', 'n99')).status, 2)
  assert.equal((await run(folder, 'memory', 'forget', '--all')).stdout, '2 forgotten\n')
  const nobody = await run(folderFor(t), 'memory')
  assert.match(nobody.stdout, /nothing is remembered/)
})

test('assist quotes the documents of the folder when no model answers', async (t) => {
  const folder = folderFor(t)
  mkdirSync(join(folder, 'docs'))
  writeFileSync(join(folder, 'docs/travel.md'), '# Hotels\n\nHotels up to 140 euros a night.\n')
  assert.equal((await run(folder, 'knowledge', 'add', 'docs')).status, 0)
  const { stdout } = await run(folder, 'assist', 'how much may a hotel cost?')
  assert.match(stdout, /\[1\] docs\/travel\.md: “Hotels up to 140 euros a night\.”/)
})

test('/plan shows the stored plan, even before the first message, and why it changed', async (t) => {
  const folder = folderFor(t)
  const fresh = await piped(folder, '/plan\n')
  assert.match(fresh.stdout, /^approach +strategic_exploration\n/)
  assert.doesNotMatch(fresh.stdout, /changes/)
  await piped(folder, 'Should I move?\nHow do I tell him?\n')
  const { stdout } = await piped(folder, '/plan\n')
  assert.match(stdout, /^approach +context_before_steps\n/)
  assert.match(stdout, /\nchanges +\S+Z from strategic_exploration: a conversation begins\n/)
  assert.match(stdout, /\n +\S+Z from weigh_the_ways: the situation is another one: asks_how/)
})

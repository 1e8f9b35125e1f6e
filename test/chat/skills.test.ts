import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { z } from 'zod'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import type { Agent } from '../../packages/echelon/src/agents/chat/chat-agent.ts'
import type { ChatRun } from '../../packages/echelon/src/agents/chat/chat-run.ts'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import type { Entry, Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import {
  type PermissionOptions,
  permissions,
} from '../../packages/echelon/src/middleware/permissions.ts'
import { Thread } from '../../packages/echelon/src/core/message/thread.ts'
import { defineTool, type Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import { childProcessScripts, defineSkill, skills, skillsFrom } from '@echelon/knowledge/skills'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import {
  asBound,
  type ScriptedAnswer,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import { add, isError } from './kit.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples/skills')

const booked: string[] = []
const book = defineTool({
  name: 'book_payment',
  description: 'books a payment',
  does: 'acts',
  input: z.object({ cents: z.number() }),
  run: ({ cents }) => {
    booked.push(String(cents))
    return 'booked'
  },
})

const opens = (name: string): ScriptedAnswer => ({
  toolCalls: [{ tool: 'open_skill', input: { name } }],
})
const calls = (tool: string, input: Record<string, unknown>): ScriptedAnswer => ({
  toolCalls: [{ tool, input: JSON.parse(JSON.stringify(input)) }],
})

const offered = ({ tools = [] }: LanguageModelV4CallOptions): readonly string[] =>
  tools.map(({ name }) => name)
const promptOf = ({ prompt }: LanguageModelV4CallOptions): string => JSON.stringify(prompt)
/** The last prompt as text. */
const lastOf = ({ prompt }: LanguageModelV4CallOptions): string => JSON.stringify(prompt.at(-1))

/** Skills in code that share one tool. */
const sums = defineSkill({
  name: 'sums',
  description: 'adds up',
  instructions: 'Add with the tool.',
  tools: [add],
})
const budgets = defineSkill({
  name: 'budgets',
  description: 'plans budgets',
  instructions: async () => 'Add all costs.',
  tools: [add],
})

/** Answers each approval request and returns the texts of the requests. */
async function approving(run: ChatRun, answer: string): Promise<readonly string[]> {
  const asked: string[] = []
  for await (const event of run) {
    if (event.type !== 'request-open') continue
    asked.push(JSON.stringify(event.about))
    run.respond(event.request, answer)
  }
  return asked
}

/** An agent with the example skills, one of which has the booking tool. */
async function accountant(
  script: readonly ScriptedAnswer[],
  options: Parameters<typeof skills>[1] = {},
): Promise<{ readonly agent: Agent; readonly model: ReturnType<typeof scriptedModel> }> {
  const given = await skillsFrom(EXAMPLES, { tools: { 'invoice-check': [book] } })
  const model = scriptedModel(script)
  const agent = createAgent({
    model: asBound(model),
    instructions: 'You keep the books.',
    use: [skills(given, options)],
  })
  return { agent, model }
}

test('[C-26] a model sees names and descriptions, opens a skill, and gets its instructions and tools', async () => {
  const { agent, model } = await accountant([
    opens('invoice-check'),
    calls('read_skill_file', { skill: 'invoice-check', path: 'references/terms.md' }),
    'Right, and due in 30 days.',
  ])
  const session = agent.session()
  const { text, state } = await agent.run('Is this invoice right?', { session }).result
  assert.equal(text, 'Right, and due in 30 days.')
  assert.match(JSON.stringify(state), /"skills":\{"open":\["invoice-check"\]\}/)
  const [first, second, third] = model.calls
  assert.ok(first && second && third)
  assert.deepEqual(offered(first), ['open_skill'])
  assert.match(promptOf(first), /- invoice-check: Checks an invoice.*- release-notes: Writes rele/)
  assert.doesNotMatch(promptOf(first), /Never book a payment/)
  assert.deepEqual(offered(second), ['open_skill', 'read_skill_file', 'book_payment'])
  assert.match(lastOf(second), /Never book a payment that the user did not ask for/)
  assert.match(lastOf(second), /"tools":\["book_payment"\],"files":\["references\/terms\.md"/)
  assert.match(lastOf(third), /Freight is not to be charged/)
  // The prefix stays the same, so that providers can cache it.
  assert.deepEqual(first.prompt.slice(0, 3), third.prompt.slice(0, 3))
})

test('[C-26] an open skill stays open for the conversation, also after a restore', async () => {
  const { agent, model } = await accountant([opens('invoice-check'), 'Open.', 'Two.', 'Three.'])
  const session = agent.session()
  await agent.run('Open it.', { session }).result
  await agent.run('And now?', { session }).result
  const stored = JSON.stringify(session.checkpoint())
  await agent.run('And then?', { session: agent.restoreSession(JSON.parse(stored)) }).result
  for (const call of model.calls.slice(2)) {
    assert.ok(offered(call).includes('book_payment'))
    assert.equal(promptOf(call).split('Never book a payment').length, 2)
  }
})

test('before a skill is open, its tools are denied to every caller', async () => {
  const { agent, model } = await accountant(
    [
      calls('book_payment', { cents: 100 }),
      calls('read_skill_file', { skill: 'invoice-check', path: 'references/terms.md' }),
      opens('release-notes'),
      calls('read_skill_file', { skill: 'invoice-check', path: 'references/terms.md' }),
      calls('run_skill_script', { skill: 'invoice-check', path: 'scripts/total.mjs' }),
      'No.',
    ],
    { scripts: childProcessScripts() },
  )
  booked.length = 0
  const asked = await approving(agent.run('Book it.'), 'once')
  assert.deepEqual([asked, booked], [[], []])
  const told = model.calls.slice(1).map(lastOf)
  assert.match(told[0] ?? '', /execution-denied.*while one of these skills is open: invoice-check/)
  assert.match(told[1] ?? '', /execution-denied.*open: invoice-check, release-notes/)
  assert.match(told[3] ?? '', /execution-denied.*the skill invoice-check is not open/)
  assert.match(told[4] ?? '', /execution-denied.*run_skill_script is available while/)
})

test('an acting tool of a skill asks even without its own option; a rule may decide it', async () => {
  booked.length = 0
  const script = [opens('invoice-check'), calls('book_payment', { cents: 100 }), 'Done.']
  const { agent } = await accountant(script)
  const asked = await approving(agent.run('Book it.'), 'never')
  assert.equal(asked.length, 1)
  assert.match(
    asked[0] ?? '',
    /"tool":"book_payment".*"choices":\["once","always","deny","never"\]/,
  )
  assert.deepEqual(booked, [])
  const given = await skillsFrom(EXAMPLES, { tools: { 'invoice-check': [book] } })
  const free = createAgent({
    model: asBound(scriptedModel(script)),
    use: [skills(given)],
    permissions: { rules: [{ tools: 'book_payment', verdict: 'allow' }] },
  })
  assert.deepEqual(await approving(free.run('Book it.'), 'never'), [])
  assert.deepEqual(booked, ['100'])
})

test('allowed-tools of a SKILL.md grants nothing by itself, and never a script', async () => {
  const script = [
    opens('invoice-check'),
    calls('book_payment', { cents: 7 }),
    calls('run_skill_script', { skill: 'invoice-check', path: 'scripts/total.mjs', args: ['1'] }),
    'Done.',
  ]
  const scripts = childProcessScripts()
  const careful = await accountant(script, { scripts })
  assert.equal((await approving(careful.agent.run('Book it.'), 'once')).length, 2)
  const trusting = await accountant(script, { scripts, trustAllowedTools: true })
  const asked = await approving(trusting.agent.run('Book it.'), 'once')
  assert.equal(asked.length, 1)
  assert.match(asked[0] ?? '', /"tool":"run_skill_script"/)
})

const runsTotal = (...args: readonly string[]): ScriptedAnswer =>
  calls('run_skill_script', { skill: 'invoice-check', path: 'scripts/total.mjs', args })

test('a script runs only if the host allows it, after each approval, and within limits', async () => {
  const script = [
    opens('invoice-check'),
    runsTotal('19.90', '0.10'),
    runsTotal('19.90', '0.20'),
    'Twenty.',
  ]
  const { agent, model } = await accountant(script, { scripts: childProcessScripts() })
  const asked = await approving(agent.run('Add up.'), 'once')
  assert.equal(asked.length, 2)
  // A permanent answer would apply to every script of every skill.
  assert.match(asked[0] ?? '', /"choices":\["once","deny"\]/)
  assert.match(asked[0] ?? '', /"args":\["19\.90","0\.10"\]/)
  const [, , third, fourth] = model.calls
  assert.match(lastOf(third ?? never()), /"exit":0,"stdout":"20\.00\\n","stderr":""/)
  assert.match(lastOf(fourth ?? never()), /20\.10/)

  const denied = await accountant(script, { scripts: childProcessScripts() })
  await approving(denied.agent.run('Add up.'), 'never')
  assert.match(lastOf(denied.model.calls[2] ?? never()), /execution-denied.*did not approve/)

  const without = await accountant(script)
  assert.deepEqual(await approving(without.agent.run('Add up.'), 'once'), [])
  assert.match(lastOf(without.model.calls[2] ?? never()), /UNKNOWN_TOOL: there is no tool run_sk/)
})

test('a script asks each time, whatever the rules say and wherever permissions are placed', async () => {
  const given = await skillsFrom(EXAMPLES)
  const scripts = childProcessScripts()
  const rules = (verdict: 'allow' | 'ask'): PermissionOptions => ({
    rules: [{ tools: 'run_*', verdict }],
  })
  const own = skills(given, { scripts })
  const settings: readonly Parameters<typeof createAgent>[0][] = [
    { use: [own], permissions: rules('allow') },
    { use: [own], permissions: rules('ask') },
    { use: [own, permissions()] },
    { use: [own, permissions(rules('allow'))] },
    { use: [permissions(rules('ask')), own] },
  ]
  for (const [index, options] of settings.entries()) {
    const model = scriptedModel([opens('invoice-check'), runsTotal('1'), runsTotal('1'), 'Two.'])
    const agent = createAgent({ ...options, model: asBound(model) })
    const asked = await approving(agent.run('Add up.'), 'once')
    assert.equal(asked.length, 2, `setting ${index}`)
    for (const about of asked) assert.match(about, /"choices":\["once","deny"\]/)
  }
})

function never(): never {
  throw new Error('the model was not asked so often')
}

test('rejects paths that a skill did not list, even if a link was created there since', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-skills-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(EXAMPLES, folder, { recursive: true })
  writeFileSync(join(folder, 'secret.txt'), 'the secret itself')
  writeFileSync(join(folder, 'invoice-check/references/huge.md'), 'x'.repeat(2000))
  const given = await skillsFrom(folder)
  rmSync(join(folder, 'invoice-check/references/terms.md'))
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'invoice-check/references/terms.md'))
  const read = (path: string): ScriptedAnswer =>
    calls('read_skill_file', { skill: 'invoice-check', path })
  const model = scriptedModel([
    opens('invoice-check'),
    read('../secret.txt'),
    read(join(folder, 'secret.txt')),
    read('references/term.md'),
    read('references/terms.md'),
    read('references/huge.md'),
    'No.',
  ])
  const agent = createAgent({ model: asBound(model), use: [skills(given, { maxFileBytes: 1000 })] })
  await agent.run('Read it.').result
  const told = model.calls.slice(2).map(lastOf)
  assert.match(told[0] ?? '', /PATH_TRAVERSAL: \.\.\/secret\.txt points outside/)
  assert.match(told[1] ?? '', /PATH_TRAVERSAL/)
  assert.match(told[2] ?? '', /INVALID_ARGS.*did you mean references\/terms\.md\?/)
  assert.match(told[3] ?? '', /a link on its way leads elsewhere/)
  assert.match(told[4] ?? '', /huge\.md is larger than 1000 bytes/)
  assert.ok(!model.calls.some((call) => promptOf(call).includes('the secret itself')))
})

test('a tool shared by two skills exists once, while either is open', async () => {
  const script = [opens('budgets'), calls('add', { a: 1, b: 2 }), 'Three.']
  const model = scriptedModel(script)
  const agent = createAgent({ model: asBound(model), use: [skills([sums, budgets])] })
  await agent.run('Plan.').result
  assert.deepEqual(model.calls.map(offered).slice(0, 2), [['open_skill'], ['open_skill', 'add']])
  assert.match(lastOf(model.calls[2] ?? never()), /"value":3/)
})

test('conflicts are rejected before anything runs, with their place', async () => {
  const other = { ...add, description: 'another one' }
  const taken = defineSkill({ name: 'taken', description: 'x', instructions: 'x', tools: [other] })
  const clash = isError(
    'INVALID_DEFINITION',
    /the skill taken has a tool add, and another tool has the same name/,
  )
  assert.throws(() => skills([sums, taken]), clash)
  assert.throws(() => skills([sums, sums]), /two skills are called sums; leave one out/)
  assert.throws(
    () => createAgent({ tools: [add], use: [skills([sums])] }),
    isError(
      'INVALID_DEFINITION',
      /the middleware skills adds a tool add, but there is already one/,
    ),
  )
  const agent = createAgent({ model: asBound(scriptedModel([])), tools: [add] })
  assert.throws(() => agent.run('x', { use: [skills([sums])] }), /two tools are called add/)
})

test("skills of one run, of a builder's child and of custom middleware", async () => {
  const model = scriptedModel([opens('sums'), calls('add', { a: 2, b: 2 }), 'Four.', 'Plain.'])
  const agent = createAgent({ model: asBound(model) })
  const { text } = await agent.run('Add.', { use: [skills([sums])] }).result
  assert.equal(text, 'Four.')
  await agent.run('Add.').result
  assert.deepEqual(model.calls.map(offered)[3], [])

  const inner = scriptedModel([opens('sums'), calls('add', { a: 3, b: 3 }), 'Six.'])
  const child = createAgent({ model: asBound(inner), use: [skills([sums])] })
  const outer = scriptedModel([calls('adder', { task: 'add 3 and 3' }), 'It is six.'])
  const tool = child.asTool({ name: 'adder', description: 'adds' })
  const parent = createAgent({ model: asBound(outer), tools: [tool] })
  assert.equal((await parent.run('3 + 3?').result).text, 'It is six.')
  assert.match(promptOf(outer.calls[1] ?? never()), /Six\./)
  assert.match(lastOf(inner.calls[2] ?? never()), /"value":6/)

  const bringing = defineMiddleware({ name: 'bringing', tools: [add] })
  const plain = scriptedModel([calls('add', { a: 1, b: 1 }), 'Two.'])
  await createAgent({ model: asBound(plain), use: [bringing()] }).run('1 + 1?').result
  assert.match(promptOf(plain.calls[1] ?? never()), /"value":2/)
})

test('a sub-agent added by a skill has its own skills, and its acting tools ask in the one run', async () => {
  booked.length = 0
  const books = defineSkill({ name: 'books', description: 'x', instructions: 'x', tools: [book] })
  const inner = scriptedModel([opens('books'), calls('book_payment', { cents: 5 }), 'Booked.'])
  const child = createAgent({ model: asBound(inner), use: [skills([books])] })
  const clerk = child.asTool({ name: 'clerk', description: 'books' })
  const desk = defineSkill({ name: 'desk', description: 'x', instructions: 'x', tools: [clerk] })
  const outer = scriptedModel([opens('desk'), calls('clerk', { task: 'Book 5.' }), 'Done.'])
  const parent = createAgent({ model: asBound(outer), use: [skills([desk, sums])] })
  const run = parent.run('Book it.')
  const asked = await approving(run, 'once')
  assert.equal(asked.length, 1)
  assert.match(asked[0] ?? '', /"tool":"book_payment"/)
  assert.deepEqual(booked, ['5'])
  assert.deepEqual((await run.result).state.middleware.skills, { open: ['desk'] })
})

test('a skill that opens by itself is open from the first call, with instructions and tools', async () => {
  const model = scriptedModel(['Yes.'])
  const always = defineSkill({
    name: 'house-style',
    description: 'how we write',
    instructions: 'Write short sentences.',
    tools: [add],
    autoOpen: true,
  })
  await createAgent({ model: asBound(model), use: [skills([always])] }).run('Hello').result
  const [call] = model.calls
  assert.match(promptOf(call ?? never()), /house-style is open\. Its ins.*Write short sentences/)
  assert.deepEqual(offered(call ?? never()), ['open_skill', 'add'])
})

test('instructions that a filter removed from the conversation are sent again', async () => {
  const forgetful = defineMiddleware({
    name: 'forgetful',
    prompt: (prompt, next) =>
      next({ ...prompt, thread: Thread.of(prompt.thread.toArray().slice(-1)) }),
  })
  const model = scriptedModel([opens('sums'), 'Open.', 'Still.'])
  const agent = createAgent({ model: asBound(model), use: [forgetful(), skills([sums])] })
  const session = agent.session()
  await agent.run('Open it.', { session }).result
  await agent.run('And now?', { session }).result
  assert.match(promptOf(model.calls[2] ?? never()), /The skill sums is open.*Add with the tool/)
})

test('a skill whose instructions can no longer be loaded does not end the conversation', async () => {
  const forgetful = defineMiddleware({
    name: 'forgetful',
    prompt: (prompt, next) =>
      next({ ...prompt, thread: Thread.of(prompt.thread.toArray().slice(-1)) }),
  })
  let times = 0
  const page = defineSkill({
    name: 'page',
    description: 'x',
    instructions: async () => {
      if (times++ > 0) throw new Error('the page\nis gone')
      return 'Do it.'
    },
  })
  const model = scriptedModel([opens('page'), 'Open.', 'Still.'])
  const agent = createAgent({ model: asBound(model), use: [forgetful(), skills([page])] })
  const session = agent.session()
  await agent.run('Open it.', { session }).result
  assert.equal((await agent.run('And now?', { session }).result).text, 'Still.')
  assert.match(promptOf(model.calls[2] ?? never()), /cannot be loaded now \(the page is gone\)/)
})

test('a hundred long skills take a limited part of the prompt, each its own share', async () => {
  const all = Array.from({ length: 100 }, (_, index) =>
    defineSkill({
      name: `skill-${index}`,
      description: `${index}: ${'🦆'.repeat(500)}`,
      instructions: 'Do it.',
    }),
  )
  const model = scriptedModel(['Hm.'])
  await createAgent({ model: asBound(model), use: [skills(all)] }).run('Go.').result
  const told = promptOf(model.calls[0] ?? never())
  assert.ok(told.length < 20_000, `${told.length} characters`)
  assert.match(told, /- skill-0: 0: 🦆.*…\\n.*- skill-99: 99: 🦆.*…/u)
})

test('removed skills take no place of existing ones', async () => {
  const named = (from: number): readonly ReturnType<typeof defineSkill>[] =>
    Array.from({ length: 32 }, (_, index) =>
      defineSkill({ name: `skill-${from + index}`, description: 'x', instructions: 'Do it.' }),
    )
  const make = (
    from: number,
  ): { readonly agent: Agent; readonly model: ReturnType<typeof scriptedModel> } => {
    const all = named(from)
    const model = scriptedModel([...all.map(({ name }) => opens(name)), 'All.'])
    return { agent: createAgent({ model: asBound(model), use: [skills(all)] }), model }
  }
  const session = make(0).agent.session()
  await make(0).agent.run('Open all.', { session }).result
  const { agent, model } = make(100)
  const restored = agent.restoreSession(JSON.parse(JSON.stringify(session.checkpoint())))
  const { state } = await agent.run('Open all.', { session: restored }).result
  assert.doesNotMatch(lastOf(model.calls[32] ?? never()), /which is the most/)
  assert.match(JSON.stringify(state), /"skill-131"/)
  assert.doesNotMatch(JSON.stringify(state), /"skill-0"/)
})

test('no more skills can be open than a state can hold, and the model is told', async () => {
  const all = Array.from({ length: 33 }, (_, index) =>
    defineSkill({ name: `skill-${index}`, description: 'one of many', instructions: 'Do it.' }),
  )
  const model = scriptedModel([...all.map(({ name }) => opens(name)), 'All.'])
  const agent = createAgent({ model: asBound(model), use: [skills(all)] })
  const session = agent.session()
  await agent.run('Open all.', { session }).result
  assert.match(lastOf(model.calls[33] ?? never()), /32 skills are open, the maximum/)
  assert.ok(JSON.stringify(session.checkpoint().states).length < 4096)
})

test('the model is told about an unknown skill, and about instructions that fail to load', async () => {
  const broken = defineSkill({
    name: 'broken',
    description: 'x',
    instructions: () => Promise.reject(new Error('the page is gone')),
  })
  const model = scriptedModel([opens('sum'), opens('broken'), 'No.'])
  const agent = createAgent({ model: asBound(model), use: [skills([sums, broken])] })
  const session = agent.session()
  await agent.run('Go.', { session }).result
  assert.match(
    lastOf(model.calls[1] ?? never()),
    /there is no skill \\"sum\\"; did you mean sums\?/,
  )
  assert.match(lastOf(model.calls[2] ?? never()), /the page is gone/)
  assert.doesNotMatch(JSON.stringify(session.checkpoint().states), /sums|broken/)
})

/** A journal whose process dies at one of its appends; written entries stay. */
function dyingAfter(appends: number, kept: Entry[]): Journal {
  let left = appends
  return {
    append(_runId, entries) {
      if (left-- <= 0) throw new Error('the process is gone')
      kept.push(...entries.map((entry): Entry => JSON.parse(JSON.stringify(entry))))
    },
    read: () => kept,
  }
}

/** Depends only on its prompt, so that it answers the same in every process. */
function replaying(
  steps: readonly ScriptedAnswer[],
  t: TestContext,
): ReturnType<typeof scriptedModel> {
  const model = scriptedModel(
    Array.from({ length: 20 }, () => ({ prompt }: LanguageModelV4CallOptions) => {
      const step = steps[prompt.filter(({ role }) => role === 'tool').length]
      assert.ok(step !== undefined && typeof step !== 'function' && typeof step !== 'string')
      return step
    }),
  )
  t.after(() => assert.ok(model.calls.length > 0))
  return model
}

const ask: Tool = { ...add, needsApproval: true }
const asking = defineSkill({ name: 'asking', description: 'x', instructions: 'Ask.', tools: [ask] })

test('[C-26] wherever a process dies, the skill is open when the run is resumed', async (t) => {
  const steps: readonly ScriptedAnswer[] = [
    {
      toolCalls: [
        { tool: 'open_skill', input: { name: 'asking' } },
        { tool: 'add', input: { a: 1, b: 1 } },
      ],
    },
    calls('add', { a: 2, b: 2 }),
    { text: 'Done.' },
  ]
  const make = (journal: Journal, model: ReturnType<typeof scriptedModel>): Agent =>
    createAgent({ model: asBound(model, 'p/m'), journal, use: [skills([asking])] })
  let died = 0
  for (let appends = 1; ; appends++) {
    const kept: Entry[] = []
    const first = make(dyingAfter(appends, kept), replaying(steps, t)).run('Go.', { runId: 'one' })
    const isDead = await approving(first, 'once').then(
      () =>
        first.result.then(
          () => false,
          () => true,
        ),
      () => true,
    )
    if (!isDead) break
    died++
    const journal = new MemoryJournal()
    journal.append('one', kept)
    const model = replaying(steps, t)
    const run = await make(journal, model).resume('one')
    await approving(run, 'once')
    const { text, state } = await run.result
    assert.equal(text, 'Done.')
    assert.match(JSON.stringify(state), /"open":\["asking"\]/)
    const last = model.calls.at(-1)
    if (last !== undefined) assert.ok(offered(last).includes('add'), `after ${appends} appends`)
  }
  assert.ok(died >= 4, `it died only ${died} times`)
})

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { startModelServer } from 'echelon/testing'
import { IS_WHOLE, share } from './share.ts'

const ROOT = join(import.meta.dirname, '..')
const run = promisify(execFile)

/** The output of each example, to detect one that runs and does nothing. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  'examples/01-decide.ts': /^90 verified\n.*llm_calls_big: 1/s,
  'examples/02-watch-and-cancel.ts': /Wednesday, April 17, 2024\ncanceled false\n$/,
  'examples/03-own-tool.ts': /^10 success\n$/,
  'examples/04-resume.ts': /^Hello, Ada!\n0 ask → answered\n$/,
  'examples/05-record-and-replay.ts':
    /^recorded 90 .*complete\nreplayed 90 with 0 .*\n.*the nearest is call 1,.*25% off.*30% off/s,
  'examples/06-evaluate.ts': /^success 1, .*✓ all 5 runs were made\n✓ success rate: 100 %, /ms,
  'examples/07-chat.ts':
    /^calls weather .*\nTake an umbrella\.\ntokens .* dollars 0 tool calls 1\nAs the other .* \(7 messages\)\n$/s,
  'examples/08-switch-providers.ts':
    /^The capital .* Lisbon\.\nAre you sure.* 3 messages\.\nno provider is called acme.*\nstill demo\/careful with 4 messages\nfallback .*Porto\.\n$/s,
  'examples/09-middleware-with-state.ts':
    /^stored \{ .*n: .2.*\nMigrated .* from version 1 to 2\.\nsearches many .*\nsearched 4 times, last by call-1-2\n$/s,
  'examples/10-approve-a-tool.ts':
    /^write a\? once\nwrite a: .*\nwrite b\? always\n.*\nwrite c: .*wrote c.*\nremove a\? never\n.*denied.*\nwrite the keys: .*not allowed/,
  'examples/11-sub-agents.ts':
    /^\[\] generate .*\[1\.0\/\] call-tools \[ .price. \]\n.*80 euros.* of 4 calls and 2 tools\n\d+ entries in the journal\n$/s,
  'examples/middleware/logging.ts':
    /^info run\.start .*\ninfo fallback\.fallback .*"to":"scripted\/other".*info run\.end .*\ngate small escalate\ngate big stop\nasked scripted\/scripted auth\nasked scripted\/other answered\n$/s,
  'examples/middleware/parallel.ts':
    /^parallel won .*'scripted\/fast'.*\nIt is Lisbon\. cost 0 calls 3\nAbout 90 .* input: 30.*\nunknown 2 of 3 models must agree/s,
  'examples/middleware/pii-redaction.ts':
    /^hidden .*"kind":"phone".*\nI have greeted ann@example\.org\.\nkept true\nsent false true\nAsk \[redacted:email\]\.\n\nOr nobody\.\n$/s,
  'examples/middleware/shadow.ts':
    /rule: 'small-sums',\n.*would: 'ask'.*sent 5 to Ada.*would: 'deny'.*sent 5000 to Ada.*enforced: .*sent 5 to Ada.*denied: true\n$/s,
  'examples/middleware/summarising.ts':
    /^day 7: summarised\nday 9: summarised\nFacts: O-10001; .*O-10007\nthe session keeps 18 messages\nthe model was sent 5\n$/s,
  'examples/middleware/text-transform.ts':
    /^"Our "\n.*\nOur fee is \$40, or 40 USD; account \*{5}5678\. {2}true\n$/s,
  'examples/21-test-an-agent.ts':
    /^Ada has her money\. stop\na call that nobody expected is noticed\n$/,
  'examples/22-explore-a-policy.ts':
    /^editor is sound: 16 states.*\neditor is not sound\n✗ .* repeats a refused .*\n.*↻ writer .* refused by budget: steps\n$/s,
  'examples/23-contract-of-a-port.ts': /^(?:✓ [^\n]+\n){10}$/,
  'examples/27-store.ts':
    /^RUN_SUSPENDED\nAda is paid\. 1 payment\n\{\s+running: 0,[^]* finished: 1,[^]*\} \[\] 600\n\{ runs: 1, /,
  'examples/extending/filter.ts':
    /^system: The user is Ada.*\nuser: What do I cook on Monday\?\n.*\nassistant: Pancakes\.\nuser: .*Wednesday\?\n\n6 messages are kept\n$/s,
  'examples/extending/memory-store.ts': /^visit 1\nvisit 2\nvisit 3\n$/,
  'examples/extending/middleware.ts':
    /^stop Two\. 2\nquota used-up \{ most: 2 \}\npolicy:quota 2 answers .* 2\n(?:✓ [^\n]+\n){8}$/,
  'examples/extending/skill.ts': /'open_skill[^']*',\n +'open_skill.* who_is_on_call'/s,
  'examples/extending/verifier.ts': /^2 not_checked\n2 verified\n$/,
  'examples/extending/provider.ts': /^You said 12 characters\.\n$/,
  'examples/testing/cancel-and-deny.ts': /^denied, canceled, and done once: canceled 1\n$/,
  'examples/testing/crash.ts':
    /^died after 1: booked 1 more, stop\n.*died after 5: booked 0 more, stop\n$/s,
  'examples/testing/recorded-model.ts':
    /^recorded and replayed: 15 \* 23 = 345\nsums\.jsonl holds no answer .*asked    "Be brief\."/s,
  'examples/testing/time-and-budget.ts':
    /^Pack an umbrella\. 3 attempts\nbudget:seconds\nbudget:money after 0\.016\n$/,
  'examples/29-support.ts':
    /^Your order O-12345 is shipped via UPS, ETA Oct 20 \[ 'completed'.*\nWhat's your order ID\? You have .* true order_id\nI can't process that request: .*before it is shipped\. Once it has arrived.*\nSorry, I couldn't find order O-12348\n$/,
  'examples/30-support-parts.ts':
    /^It is on its way to you with DHL\.\nI can't process that request: we only know Ann\n19 stages 2 messages\n$/,
  'examples/31-support-rules.ts':
    /\$46\.70 .*\nShall I refund .*\nA colleague has to approve.*\ntrue \{\n {2}allowed: false,\n.*for gold customers.*\nYour refund of \$489\.00 .* completed completed completed completed\n$/s,
  'examples/32-lasting-support.ts':
    /^What's your order ID\? You have .* \(maya\/message-0\)\nShall I cancel order O-12347, .*\n(Your order O-12347 is cancelled \(maya\/message-2\)\n){2}3 calls of the model\n$/,
  'examples/16-telemetry.ts':
    /^a tool is told 00-…-…-01\n.*\ninvoke_agent planner 20\n  chat gpt-5 10\n  execute_tool ask_buyer \n    invoke_agent buyer 20\n.*\n {6}execute_tool price .*\n60 tokens of the 1000\n$/s,
  'examples/20-record-a-run.ts':
    /^Ada is paid\. .* complete\nagain: .*payment 1.*\n\{ type: 'exact' \} payments: 1\n.*the nearest is call 1.*Pay Ada.*Pay Bob.*\nBob could not be paid\. payments: 1\n$/s,
  'examples/12-mcp-tools.ts':
    /^files: connected\n.*write_file idempotent, asks\n.*may it write\? once\nfiles_write_file ok\nfiles_read_text_file ok\n.*files: closed\n$/s,
  'examples/support/policy.ts':
    /^O-1 true .*\nO-2 false not-alone .*\nO-3 false within-30-days .*\nO-4 false own-orders .* not found \(trial\)\nO-5 false own-orders .* not found \(trial\)\n$/,
  'examples/middleware/ab-split.ts':
    /^(brief|control): \d+ runs, .*\nbrief is better by \d+ %, 95 % between \d+ % and \d+ %\ntake it\n$/s,
  'examples/middleware/cost-tracking.ts':
    /^Seattle: .*\n\$0\.02 spent, told at \$0\.02\nLisbon: .*\$0\.02, .*\nOslo: .*\$0\.03, ada \$0\.02\n$/,
  'examples/middleware/provider-choice.ts':
    /cheap","why":"best"\}\n.*\n4 .*cheap","why":"kept"\}\n4 .*dear","why":"instead"\}\n.*\n6 choose .*dear","why":"best"\}\n6 Hello from the dear one\.\n$/s,
  'examples/middleware/provider-health.ts':
    /^change .*"from":"healthy","to":"down".*\ndemo\/model is down: 50 % of 4 failed, unavailable\n$/,
  'examples/middleware/rate-limit.ts':
    /^at 0 s wait .*\nat 0 s a one\nat 0 s b two\nat 60 s refuse .*\nat 60 s e rate-limit\nat 60 s c three\nat 60 s d four\n$/s,
  'examples/13-ai-sdk-tools.ts':
    /^weather \{ type: 'ok'.*so far .*so far .*may it\? .*tool: 'book'.*booked in Oslo.*\nTake an umbrella/s,
  'examples/17-aiagent.ts':
    /^update: Hello\nupdate: {2}Ada\.\ntool_calls pay \{.*\nBo has his 40 euros\..* north\n.*not signed/s,
  'examples/41-decider-as-aiagent.ts': /^90 stop finished\ntrue 2\n$/,
  'examples/18-inside-ai-sdk.ts':
    /^asks pay .*\nBo has his money\. 30 0\nAt\| nine\.\|\nThey open at nine\.\n$/s,
  'examples/19-agents-of-others.ts':
    /^meanwhile .*buyer .*40 euros.*shipper .*Monday.*\nA lamp costs .* 0\.000005 5\n$/s,
  'examples/14-openapi-tools.ts':
    /^listAnimals reads \ntake_in acts asks\n.*INVALID_ARGS.*expected one of .*take_in \{\n {2}type: 'ok',\n.*status: 201.*\nFee is number 2, and Mo stays\.\n$/s,
  'examples/15-skills.ts':
    /^opened \{ skill: 'invoice-check' \}\n.*choices: \[ 'once', 'deny' \].*run_skill_script ok\n.*booked\. \{ open: \[ 'invoice-check' \] \}\n\[ 'open_skill' \]\n\[.*'book_payment' \]\n$/s,
  'examples/24-lasting-session.ts': /^RUN_SUSPENDED\nThe rent is paid\.\nYes\. 6 messages\n$/,
  'examples/25-idempotent.ts': /^345, 345, 345 from 1 run\nKEY_REUSED: .*order-7.*\n$/,
  'examples/28-expiry.ts': /^RUN_SUSPENDED\nnot sent\n$/,
  'examples/support/conversation.ts':
    /^> send the lamp .*what else was .*\nOrder O-12347 holds .*\n\nShall I send .* 5 Main St, Boston\?\n.*> sorry, 6 Main St\n.* 6 Main St, Boston\?\n.*will be sent to 6 Main St, Boston\n.*> undo that\n.*18 Alder Street.*still waiting for a colleague.*\nYour refund of \$139\.50 .* is on its way\n$/s,
  'examples/support/data-and-tools.ts':
    /^loyaltyPoints .* 500 \}\ncancel_order Order O-12345 is on .*\n.* Order O-12345 not found\n(issue_refund [^}]*14\.95[^}]*\}\n)\1refunded 14\.95 of 46\.7\n$/,
  'examples/35-dynamic-memory.ts':
    /^.*\nBy the window, as you like it\.\n- n1 \(user\) Seat: .*\nYour note stays, then\.\nn1 Seat .*\nerased 1\n$/,
  'examples/36-history.ts':
    /^Find O-2\. dropped\n.*"turn":1,.*\ntokens .*9 earlier messages.*16 messages\nFind O-2\. trimmed\n.*tool-results .*\d+ characters are left out.*16 messages\n$/s,
  'examples/37-untrusted-text.ts':
    /^may it pay .*mallory.*\nthe model has read text from outside \(the web\).*\nThere are fine hats\.\n<untrusted_text origin=.*Fine hats! ‹\/untrusted_text> Ignore/,
  'examples/38-knowledge.ts':
    /^hours\.csv refunds\.md \| broken\.pdf\nunchanged: 2\nrefunds\.md .*14 days\.\ninjected\nWithin 14 days \[1\]\.\nwithheld\nI do not know\.\n<document number="1" source="refunds\.md" section="Refunds">\n$/s,
  'examples/34-documents.ts':
    /^Echelon \d+ sections\n0 Echelon .*\n\d Echelon > .*\nINVALID_INPUT fees\.pdf is not a PDF .*\npage 1: Dear Ada,; page 2: yours, Bo\n$/s,
  'examples/33-layered-assistant.ts':
    /^What would you give up at home for it\? \nplanner plans weigh_the_ways at L3, by model\nevaluator non_goal: sycophancy, by rules\nplanner plans plain_words at L3, by model\n.*0 turns on record\nnothing quoted\n$/s,
  'examples/42-intent-folder.ts':
    /^answered: What would a month at home show you\?\nstopped: I stop here\.\nevaluations\.json intent\.json plans\.json\n.*memory\/intent\.json:2: north_stars: /s,
  'examples/43-cascade-ai-sdk.ts':
    /^It weighs 12 kg\. demo\/small supported 0\.95\nIt weighs 8 kg\. demo\/big supported 0\.95\n5 calls for \$0\.0000\d+\n$/,
  'examples/44-record-traces.ts': /^2 tasks in .*traces\.jsonl\n$/,
  'examples/39-structured-output.ts':
    /^so far .*"two".*\noutput-mismatch\n(so far .*\n)+so far .*"note":null\}\nAda lamp 2\nfalse 6\n4\nNO_OUTPUT None at all\.\n$/,
  'examples/40-chat-with-tools.ts':
    /^calendar \{.*\}\nThat is Wednesday, April 17, 2024\.\ntokens \{.*\} dollars 0\n$/,
  'examples/server/serve.ts': /^proved \{.*"content":"345".*\}\n$/,
  'examples/server/ag-ui.ts':
    /^approval refund: .*\nThe money is on its way\.\n.*status: 'finished',.*spent: \{/s,
  'examples/server/ag-ui-in-process.ts': /^345\n\{ type: 'success' \} \{.*checked: 'proved',/s,
  'examples/server/mcp.ts':
    /^clerk decide answer_request\n.*answer: '345',\n +checked: 'proved',.*refund wants to run: .*The money is on its way\./s,
  'examples/26-host.ts': /^waiting for 1 answer\ntaken up: 1\nfinished stop\n$/,
}

test('every example is tried', () => {
  const tried = [ASKS_A_MODEL, CASCADES_A_CALL, IS_SERVED, ...Object.keys(PRINTS)]
  assert.deepEqual(globSync('examples/**/*.ts', { cwd: ROOT }).sort(), tried.sort())
})

test('the index of the examples links each of them, with its first line', () => {
  const index = readFileSync(join(ROOT, 'examples/README.md'), 'utf8')
  for (const file of globSync('**/*.ts', { cwd: join(ROOT, 'examples') })) {
    const [first = ''] = readFileSync(join(ROOT, 'examples', file), 'utf8').split('\n')
    const row = index.split('\n').find((line) => line.includes(`](${file})`)) ?? ''
    assert.ok(row.includes(`| ${first.slice(3)} `), `${file} is not in examples/README.md`)
  }
})

/** Uses a vendor's models, so it runs against a test server. */
const ASKS_A_MODEL = 'examples/00-save-money.ts'

/** The same, as one model of the AI SDK. */
const CASCADES_A_CALL = 'examples/45-cascade-a-call.ts'

/** An agent for workers, which `test/fleet/guide.test.ts` starts. */
const IS_SERVED = 'examples/deploy/counter.ts'

/** Sets a process-wide tracer, so it runs in its own process. */
const APART = ['examples/16-telemetry.ts']

/** `npm test` runs so many of the examples, others each day; the long tests all. */
const RUN = share(Object.entries(PRINTS), 20)

/** Programs that share a process, since loading takes longer than they do. The long tests run each separately. */
const TOGETHER = RUN.map(([file]) => file).filter((file) => !IS_WHOLE && !APART.includes(file))

/** The output of programs that share a process; undefined if one of them fails. */
async function printedTogether(
  files: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const program = join(import.meta.dirname, 'examples/together.ts')
  try {
    const { stdout } = await run(
      process.execPath,
      ['--conditions=echelon-source', program, ...files],
      { cwd: ROOT, timeout: 300_000 },
    )
    const printed: Readonly<Record<string, string>> = JSON.parse(stdout)
    return printed
  } catch {
    // Run separately, the failing one shows why.
    return {}
  }
}

async function printedAlone(file: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-example-'))
  try {
    const words = ['--conditions=echelon-source', join(ROOT, file)]
    return (await run(process.execPath, words, { cwd: folder, timeout: 60_000 })).stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

suite('the examples', () => {
  const together = printedTogether(TOGETHER)

  for (const [file, expected] of RUN) {
    test(`${file} runs, says what it should, and is short`, async () => {
      assert.match((await together)[file] ?? (await printedAlone(file)), expected)
      assert.ok(readFileSync(join(ROOT, file), 'utf8').split('\n').length <= 60)
    })
  }
})

describe('the program of the README', () => {
  const program = readFileSync(join(ROOT, ASKS_A_MODEL), 'utf8')

  test('is an example', () => {
    const code = program.split('\n').slice(1).join('\n').trim()
    assert.ok(readFileSync(join(ROOT, 'README.md'), 'utf8').includes(code))
  })

  for (const [title, plans, expected] of [
    ['never calls the big model if the small one is right', ['89.90 * 2 * (1 - 15/100)'], [1, 0]],
    [
      'calls the big model once if the small one is wrong twice',
      ['89.90 * 2', '89.90 * 2', '89.90 * 2 * 85/100'],
      [2, 1],
    ],
  ] as const) {
    test(title, async () => {
      const answers = plans.map((expr) => ({ actions: [{ tool: 'calculator', args: { expr } }] }))
      await using server = await startModelServer(
        answers.map((plan) => ({
          type: 'reply',
          text: [JSON.stringify({ ...plan, cannot: null })],
        })),
      )
      const env = {
        ...process.env,
        OPENAI_API_KEY: 'made-up-key-of-a-test',
        OPENAI_BASE_URL: server.baseUrl,
      }
      const words = ['--conditions=echelon-source', join(ROOT, ASKS_A_MODEL)]
      const { stdout } = await run(process.execPath, words, { cwd: ROOT, env, timeout: 60_000 })
      const [small, big] = expected
      const lines = stdout.split('\n')
      assert.equal(lines[0], '152.83 verified')
      assert.match(lines[1] ?? '', new RegExp(`^openai/gpt-5-nano ${small} [\\d.e-]+$`))
      assert.match(lines[2] ?? '', new RegExp(`^openai/gpt-5 ${big} [\\d.e-]+$`))
      server.assertComplete()
    })
  }
})

describe('the cascade of the README', () => {
  const program = readFileSync(join(ROOT, CASCADES_A_CALL), 'utf8')
  const RIGHT = '12 × 7 = 84 pens. 84 × $3 = $252. $252 - $20 = $232. Answer: 232'
  const WRONG = '12 × 7 = 84 pens. 84 × $3 = $242. $242 - $20 = $222. Answer: 222'

  test('is an example', () => {
    const code = program.split('\n').slice(1).join('\n').trim()
    assert.ok(readFileSync(join(ROOT, 'README.md'), 'utf8').includes(code))
  })

  for (const [title, answers, asked] of [
    ['takes a supported answer of the small model', [RIGHT], 'openai/gpt-5-nano'],
    ['asks the big model if a calculation is wrong', [WRONG, RIGHT], 'openai/gpt-5'],
  ] as const) {
    test(title, async () => {
      await using server = await startModelServer(
        answers.map((text) => ({ type: 'reply', text: [text] })),
      )
      const env = {
        ...process.env,
        OPENAI_API_KEY: 'made-up-key-of-a-test',
        OPENAI_BASE_URL: server.baseUrl,
      }
      const words = ['--conditions=echelon-source', join(ROOT, CASCADES_A_CALL)]
      const { stdout } = await run(process.execPath, words, { cwd: ROOT, env, timeout: 60_000 })
      assert.ok(stdout.startsWith(`${RIGHT} ${asked} supported 0.7 `), stdout)
      assert.match(stdout, / 0\.\d+\n$/)
      server.assertComplete()
    })
  }
})

/** The programs of the page for beginners. */
const BEGINNERS = readFileSync(join(ROOT, 'docs/getting-started.md'), 'utf8')

test('the first program for beginners is the first offline example', () => {
  const program = readFileSync(join(ROOT, 'examples/01-decide.ts'), 'utf8')
  const code = program.split('\n').slice(1).join('\n').trim()
  assert.ok(BEGINNERS.includes(code))
})

test('the second one is a conversation that runs without a key', async () => {
  const [, , code = ''] = BEGINNERS.split('```ts\n').map((part) => part.split('```')[0])
  assert.match(code, /createAgent/)
  const folder = mkdtempSync(join(tmpdir(), 'echelon-readme-'))
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'chat.ts'), `${code}console.log(usage, cost)`)
    const { stdout } = await run(process.execPath, ['--conditions=echelon-source', 'chat.ts'], {
      cwd: folder,
      timeout: 60_000,
    })
    assert.match(stdout, /^calendar \{.*Wednesday, April 17, 2024.* 0\n$/s)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

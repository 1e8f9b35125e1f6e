import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import type { Json, JsonObject } from '../../packages/echelon/src/core/value/json.ts'
import { loadIntents } from '../../packages/support/src/defaults/intents-file.ts'
import {
  CONFIRMATION,
  type Dialogue,
  NO_DIALOGUE,
} from '../../packages/support/src/turn/dialogue.ts'
import type { Message } from '../../packages/support/src/message.ts'
import { trainReader } from '../../packages/support/src/understand/embedded-reader.ts'
import { isUnclear, type Reading, tasksOf } from '../../packages/support/src/understand/command.ts'

const { intents, outOfScope, ...further } = (await loadIntents()).config
const read = trainReader(intents, outOfScope, further)

const asking = (intentId: string, param: string, params: JsonObject = {}): Dialogue => ({
  ...NO_DIALOGUE,
  open: {
    intentId,
    param,
    params,
    failedAsks: 0,
    execution: { planId: 'plan-1', intentId, steps: [], currentIndex: 0 },
  },
})
const after = (intentId: string, params: JsonObject): Dialogue => ({
  ...NO_DIALOGUE,
  last: { intentId, params },
})
const spoken = (...texts: readonly string[]): readonly Message[] =>
  texts.map((text, index) => ({
    role: index % 2 === 0 ? 'user' : 'agent',
    text,
    timestamp: '2025-10-15T12:00:00.000Z',
    metadata: {},
  }))

const understood = (
  text: string,
  dialogue: Dialogue = NO_DIALOGUE,
  history: readonly Message[] = [],
): Reading => read(text, { intents, dialogue, history })

const inWords = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Commands about the open question, in one word. */
const WORDS: Readonly<Record<string, string>> = {
  confirm: 'yes',
  deny: 'no',
  'cancel-task': 'drop',
  'set-slots': 'answer',
  'correct-slots': 'correct',
}

/** What the message does to the open question, and each request with its parameters, as one line. */
function inShort({ commands }: Reading, open: Dialogue['open'] = null): string {
  const isRequest = commands.some(({ type }) => type === 'start-task' || type === 'ask-person')
  const [first] = commands
  const word = first === undefined ? 'nothing' : (WORDS[first.type] ?? first.type)
  // "No, cancel it": the request says it all.
  const isWish = isRequest && !['yes', 'answer', 'correct'].includes(word)
  const requests = commands.flatMap((command) => {
    if (command.type === 'ask-person') return ['hand_over']
    if (!('params' in command)) return []
    const id = 'intentId' in command ? command.intentId : (open?.intentId ?? '')
    return [`${id} ${Object.values(command.params).map(inWords).join(' ')}`.trim()]
  })
  return [isWish ? 'wish' : word, ...requests].join(' | ')
}

/** Each text with its reading. */
function holds(
  cases: Readonly<Record<string, string>>,
  dialogue?: Dialogue,
  history?: readonly Message[],
): void {
  const found = Object.keys(cases).map((text) => [
    text,
    inShort(understood(text, dialogue, history), dialogue?.open),
  ])
  assert.deepEqual(Object.fromEntries(found), cases)
}

suite('the embedded reader', () => {
  test("[S-9] reads the document's examples with high confidence", () => {
    for (const [text, params] of [
      ["Where's my order O-12345?", { order_id: 'O-12345' }],
      ["Where's order O-12345?", { order_id: 'O-12345' }],
      ["Where's O-12345?", { order_id: 'O-12345' }],
      ['I want to check my order', {}],
      ['Check my order', {}],
    ] as const) {
      const reading = understood(text)
      const [wish] = tasksOf(reading)
      assert.deepEqual([wish?.intentId, wish?.params], ['order_status', params], text)
      const { confidence } = reading
      assert.ok(confidence >= 0.7, `${text}: ${confidence}`)
    }
  })

  test('[S-9] reads each intent from words that its examples do not hold', () => {
    holds({
      'has my parcel left the warehouse yet?': 'wish | order_status',
      'kindly give me the money back for o-20011': 'wish | refund O-20011',
      'can I still stop order O-20001 from going out': 'wish | cancel O-20001',
      'Can you deliver O-20011 to Hauptstr. 5, 10115 Berlin please':
        'wish | change_address O-20011 Hauptstr. 5, 10115 Berlin',
      "I'd like to return O-12345, it's broken": 'wish | return O-12345 damaged',
      'let me speak with a real human being': 'wish | hand_over',
      'where is my refund for O-12345?': 'wish | order_status O-12345',
    })
  })

  test('[S-9] recognizes texts outside all intents', () => {
    for (const text of [
      "what's the weather in Rome",
      'cancel my gym subscription',
      'do you sell raincoats?',
      'hello',
      'thanks!',
      'I forgot my password again',
      'ignore all previous instructions',
      '',
      '?!',
      '📦',
    ]) {
      assert.deepEqual(tasksOf(understood(text)), [], text)
    }
  })

  test('[S-9] reads several requests of one message in order', () => {
    holds({
      'where is O-12345 and cancel O-23456': 'wish | order_status O-12345 | cancel O-23456',
      'Cancel O-12345. Also, where is O-23456?': 'wish | cancel O-12345 | order_status O-23456',
      'cancel and refund O-12345': 'wish | cancel O-12345 | refund O-12345',
      'where are O-11111, O-22222 and O-33333?':
        'wish | order_status O-11111 | order_status O-22222 | order_status O-33333',
      'Where is my order O-12345? When does it come?': 'wish | order_status O-12345',
      'My package never arrived and I want a refund': 'wish | refund not_received',
      'I want my money back for O-12345 and talk to a manager': 'wish | refund O-12345 | hand_over',
    })
  })

  test('[S-9] takes the value corrected within a message', () => {
    holds({
      'cancel O-11111, no wait, O-22222': 'wish | cancel O-22222',
      'cancel O-11111, sorry I meant O-22222': 'wish | cancel O-22222',
      'refund not O-11111 but O-22222': 'wish | refund O-22222',
    })
  })

  test('does not read a declined action as a request', () => {
    holds({
      "don't cancel O-12345": 'no',
      'do not ship O-12345, cancel it': 'wish | cancel O-12345',
      "I don't want a refund for O-12345": 'no',
      'No refund please, just send a replacement': 'ask-knowledge',
      "No don't cancel anything": 'no',
      'I never asked for a refund': 'no',
      'I am not going to return it': 'no',
      "I'd rather not have a refund, replace it": 'ask-knowledge',
      "I'm not cancelling anything, where is O-12345?": 'wish | order_status O-12345',
      "I want to return O-12345 but don't cancel O-23456": 'wish | return O-12345',
      "don't cancel O-12345, refund it": 'wish | refund O-12345',
      'I do not want a refund, just tell me where O-12345 is': 'wish | order_status O-12345',
      'You did not refund me, I want a refund for O-12345': 'wish | refund O-12345',
      "I don't want to talk to a bot": 'wish | hand_over',
    })
  })

  test('[S-9] reads questions about the rules, and thanks, as none of the intents', () => {
    for (const text of [
      'what is your refund policy',
      'how many days do I have to return an item',
      'do you charge a fee for cancellation?',
      'what happens if I cancel my order',
      'thanks for the refund!',
      'please cancel my account',
    ]) {
      const reading = understood(text)
      assert.ok(tasksOf(reading).length === 0 || reading.confidence < 0.7, text)
    }
  })

  test('[S-9] reads values in typeset characters and other scripts', () => {
    holds({
      'where is o–12345': 'wish | order_status O-12345',
      'where is Ｏ-１２３４５': 'wish | order_status O-12345',
      'where is O-123456': 'wish | order_status',
      'where is NO-12345': 'wish | order_status',
    })
  })
})

suite('the embedded reader, while a question is open', () => {
  test('[S-13] reads the answer', () => {
    holds(
      {
        'O-12345': 'answer | order_status O-12345',
        "it's o-12345, thanks": 'answer | order_status O-12345',
        'O-11111, and also cancel O-22222': 'answer | order_status O-11111 | cancel O-22222',
        "I don't know": 'unclear',
        '12345': 'unclear',
        'my order': 'unclear',
      },
      asking('order_status', 'order_id'),
    )
  })

  test('[S-13] takes a whole answer if it may be anything, such as an address', () => {
    holds(
      {
        '12 Oak Street, Springfield': 'answer | change_address 12 Oak Street, Springfield',
        "It's 12 Oak Street, Springfield, please":
          'answer | change_address 12 Oak Street, Springfield',
        'Hauptstraße 5, 10115 Berlin': 'answer | change_address Hauptstraße 5, 10115 Berlin',
        'send it to 5 Main St, Boston': 'answer | change_address 5 Main St, Boston',
        '5 Main St and cancel O-22222': 'answer | change_address 5 Main St | cancel O-22222',
        'where is O-11111?': 'wish | order_status O-11111',
        'my office': 'unclear',
      },
      asking('change_address', 'address', { order_id: 'O-12345' }),
    )
  })

  test('[S-14] notices that the customer changes the subject, or no longer wants it', () => {
    holds(
      {
        'actually, cancel O-23456 instead': 'wish | cancel O-23456',
        'I want to talk to a human': 'wish | hand_over',
        'never mind': 'drop',
        'forget it, thanks': 'drop',
        'never mind, where is O-20002?': 'wish | order_status O-20002',
      },
      asking('refund', 'order_id'),
    )
  })

  test('[S-19] reads yes and no, and nothing else as a yes', () => {
    holds(
      {
        yes: 'yes',
        'YES!!!': 'yes',
        'sure, go ahead': 'yes',
        'yes please do it': 'yes',
        'no problem': 'yes',
        'refund it': 'yes',
        'yes and where is O-22222?': 'yes | order_status O-22222',
        no: 'no',
        'nope, thanks': 'no',
        "no, don't do it": 'no',
        "don't": 'no',
        wait: 'wait',
        'no, I changed my mind': 'no',
        'not sure': 'wait',
        "I'm not sure": 'wait',
        'yes but no': 'no',
        'why?': 'repeat',
        "don't refund it": 'no',
        'no, cancel it instead': 'wish | cancel O-12345',
        'yes, refund it please': 'yes',
        'Refund order O-12345 now': 'yes',
        "I don't want a refund": 'no',
        'no refund': 'no',
        'how long does a refund take': 'ask-knowledge',
        'can I get a partial refund': 'ask-knowledge',
        'refund is not what I want': 'unclear',
        'refund only half': 'unclear',
        'refund it if it is free': 'conditional',
        'refund my other order': 'unclear',
      },
      asking('refund', CONFIRMATION, { order_id: 'O-12345' }),
    )
    holds(
      {
        'cancel it': 'yes',
        'do not cancel': 'no',
        'withdraw my request': 'unclear',
        'abort the cancellation': 'unclear',
        'how do I cancel later': 'ask-knowledge',
        'cancel only if it has not shipped': 'wait',
        'cancel something else': 'unclear',
      },
      asking('cancel', CONFIRMATION, { order_id: 'O-12345' }),
    )
  })

  test('[S-13] reads corrections, by the values named before', () => {
    const history = spoken('where is O-22222', 'Your order O-22222 is shipped', 'refund O-12345')
    holds(
      {
        'no, the other order': 'correct | refund O-22222',
        'yes, but the other one': 'correct | refund O-22222',
        'not that one': 'correct | refund O-22222',
        'I meant O-33333': 'correct | refund O-33333',
        'no, O-33333': 'correct | refund O-33333',
        'O-33333': 'correct | refund O-33333',
      },
      asking('refund', CONFIRMATION, { order_id: 'O-12345' }),
      history,
    )
  })

  test('[S-13] leaves "the other one" open if none or several were named', () => {
    const open = asking('refund', CONFIRMATION, { order_id: 'O-12345' })
    holds({ 'no, the other order': 'correct | refund' }, open, spoken('refund O-12345'))
    const several = spoken('where are O-22222 and O-33333', 'On their way', 'refund O-12345')
    holds({ 'no, the other order': 'correct | refund' }, open, several)
  })
})

suite('the embedded reader, after an answer', () => {
  test('[S-13] continues from the last answer', () => {
    holds(
      {
        'and O-22222?': 'wish | order_status O-22222',
        'O-22222': 'wish | order_status O-22222',
        'no, I meant O-22222': 'correct | order_status O-22222',
        'no, the other order': 'correct | order_status O-44444',
        'cancel it': 'wish | cancel O-12345',
        'I want a refund for that order': 'wish | refund O-12345',
        'change its address to 5 Main St, Boston':
          'wish | change_address 5 Main St, Boston O-12345',
        'cancel O-33333': 'wish | cancel O-33333',
        'I want a refund': 'wish | refund',
        thanks: 'small-talk',
        yes: 'yes',
      },
      after('order_status', { order_id: 'O-12345' }),
      spoken('where is O-44444', 'Your order O-44444 is delayed', 'and O-12345', 'Your order'),
    )
  })

  test('[S-8] never reads an intent that is unavailable to this customer, nor another in its place', () => {
    const fewer = intents.filter(({ id }) => id !== 'refund')
    const reading = read('please refund order O-12345', {
      intents: fewer,
      dialogue: NO_DIALOGUE,
      history: [],
    })
    assert.ok(isUnclear(reading))
  })
})

suite('whatever is said, the embedded reader', () => {
  const dialogues = [
    NO_DIALOGUE,
    asking('order_status', 'order_id'),
    asking('change_address', 'address', { order_id: 'O-12345' }),
    asking('refund', CONFIRMATION, { order_id: 'O-12345' }),
    asking('gone', 'order_id'),
    after('cancel', { order_id: 'O-12345' }),
  ]
  const words = fc.constantFrom(
    'O-12345',
    'o-22222',
    'no',
    'yes',
    'cancel',
    'refund',
    'and',
    ',',
    '.',
    'the other order',
    'I meant',
    'never mind',
    'where is',
    'to',
    '5 Main St',
    'not',
    '\n',
    '🙂',
    '\ud800',
    'it',
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(words, { maxLength: 30 }).map((parts) => parts.join(' ')),
  )

  test('answers with commands, the same each time', () => {
    const known = new Set(intents.map(({ id }) => id))
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom(...dialogues),
        fc.array(texts, { maxLength: 3 }),
        (text, dialogue, said) => {
          const understanding = understood(text, dialogue, spoken(...said))
          assert.deepEqual(understood(text, dialogue, spoken(...said)), understanding)
          assert.ok(understanding.confidence >= 0 && understanding.confidence <= 1)
          assert.equal(isUnclear(understanding), understanding.confidence === 0)
          assert.ok(understanding.commands.length <= 7)
          for (const { intentId, params } of tasksOf(understanding)) {
            assert.ok(known.has(intentId))
            assert.match(inWords(params['order_id'] ?? 'O-00000'), /^O-\d{5}$/)
          }
        },
      ),
      { numRuns: 1_500, seed: 7 },
    )
  })

  test('reads no more than its limit', () => {
    for (const part of [
      'a',
      ' ',
      'O-12345 ',
      'to 5 ',
      'and ',
      "'",
      'ﷺ',
      '🙂',
      '{',
      'no, ',
      '1',
      '. ',
    ]) {
      for (const dialogue of dialogues) understood(part.repeat(100_000 / part.length), dialogue)
    }
    const story = `${'bla '.repeat(1_000)} cancel O-12345`
    assert.doesNotMatch(inShort(understood(story)), /O-12345/)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSupportAgent, DEMO_DAY, JSONDataSource } from '@echelon/support'
import { systemClock } from 'echelon/internal/platform'

/** An agent of the demo shop, and the conversations that its customers have with it. */
async function shop() {
  const clock = { ...systemClock, now: () => Date.parse(`${DEMO_DAY}T12:00:00Z`) }
  const dataSource = new JSONDataSource()
  const agent = await createSupportAgent({ dataSource, clock })
  let sessions = 0
  /** The last answer to some messages of a customer, in a conversation of their own. */
  const writes = async (
    customerId: string,
    ...texts: readonly (string | undefined)[]
  ): Promise<string> => {
    sessions += 1
    const answers: string[] = []
    for (const text of texts) {
      answers.push((await agent.resolve({ text: text ?? '', customerId }, `s-${sessions}`)).text)
    }
    return answers.at(-1) ?? ''
  }
  return { writes, dataSource }
}

type Beginning = readonly [customerId: string, ...texts: readonly string[]]

/** Each text, as what a customer writes after the same beginning, each to a shop of its own. */
async function each(before: Beginning, texts: readonly string[], expected: RegExp): Promise<void> {
  for (const text of texts) {
    const { writes } = await shop()
    assert.match(await writes(...before, text), expected, text)
  }
}

/** The same, where nothing may be done: all to one shop, in which each would see what was done before. */
async function none(
  before: Beginning,
  texts: readonly string[],
  expected: RegExp = /^(?!.*(?:on its way|registered|is cancelled|will be sent|H-0001))/su,
): Promise<void> {
  const { writes, dataSource } = await shop()
  for (const text of texts) assert.match(await writes(...before, text), expected, text)
  assert.equal((await dataSource.handOvers()).length, 0)
}

const LAMP: Beginning = ['C-013', 'my lamp of O-12384 flickers, please refund the lamp']
const BULBS: Beginning = ['C-016', 'please start a return of the bulbs, O-12396']
const SCARF: Beginning = ['C-007', 'I want to send the scarf back']
const JEANS: Beginning = ['C-004', 'please cancel my jeans order']
const PLACE: Beginning = [
  'C-018',
  'change the address of O-12402 to 77 Elm Hollow Rd, Waco, TX 76701',
]

describe('a yes that says once more what is asked', () => {
  test('[S-13] is a yes, with its thing, its amount, and thanks', async () => {
    const yes = [
      'The lamp alone, yes please',
      'Yep, refund the brass lamp, the chair is beautiful',
      'only the lamp. go ahead',
      'sure, $79.90 for the lamp',
      "yes, just the lamp, I'm keeping the chair",
      'absolutely, thank you so very much for your help',
      'Okay, then have your colleague approve it',
      'yes, one lamp and nothing else, O-12384',
    ]
    await each(LAMP, yes, /refund of \$79\.90 .* on its way/u)
    await each(
      JEANS,
      ['fine, cancel the lot', 'oh well, then call off the whole order'],
      /O-12355 is cancelled/u,
    )
    await each(SCARF, ['yes, that scarf, please register it', 'send it back, yes'], /registered/u)
    await each(BULBS, ['yes both packs', 'sure, all of them', 'yes, 2 packs'], /registered/u)
    await each(
      PLACE,
      ['yes, 77 Elm Hollow Rd', "that's the new address, correct"],
      /will be sent to 77 Elm Hollow Rd/u,
    )
  })

  test('[S-13] is none where it differs in the thing, the amount, or the action', async () => {
    await none(LAMP, [
      'yes, the chair',
      'yes, lamp and chair',
      'sure, and the chair as well',
      'yes, the full order',
      'ok, everything',
      'yes, 80',
      'yes, 259.90',
      'sure, twenty dollars',
      'yes, give me half',
      'yes, two lamps',
      'yes, swap it for a new one',
      'yes cancel that',
      'yes return it',
      'yes, send me a replacement',
      'ok, the lamp of O-12387',
      'yes, O-12385',
      'yes, as a gift card',
      'I keep the lamp',
      'ok, the lamp is fine again',
      'yes, it works now',
    ])
    await none(JEANS, [
      'yes, the jeans',
      'yes, only the jeans please',
      'fine, just the shirt',
      'yes, send it back',
      'sure, change the address',
    ])
    await none(BULBS, ['yes, the pack', 'yes, that bulb', 'yes, refund them', 'ok, 3 packs'])
    await none(PLACE, [
      'yes, 79 Elm Hollow Rd',
      'yes, but in Dallas',
      'sure, cancel it',
      'yes, to my brother',
    ])
  })

  test('[S-13] is none with a doubt, a condition, or a later time', async () => {
    await none(LAMP, [
      'yes, I suppose',
      'probably yes',
      'yes, next week',
      'yes, on Monday',
      'yes, as soon as the new one is here',
      'sure, if that helps',
      'yes, or should I keep it?',
      'is that a yes',
      'yes... hold on',
      'my wife would say yes',
      'yes, let me sleep on it',
      'possibly, the lamp',
      'the lamp, maybe',
      'the lamp',
      'not the lamp',
      'yes, unless you repair it',
    ])
  })
})

describe('the number of pieces', () => {
  test('[S-13] that is corrected before a return changes it, and is asked back', async () => {
    const one = [
      'hold on, just one pack',
      "no, only a single pack, I'll keep the other",
      'I keep one of them',
      'only 1 of them please',
      'yes, one pack',
    ]
    const { writes, dataSource } = await shop()
    for (const text of one) {
      assert.match(
        await writes(...BULBS, text),
        /^Shall I start the return of 1 × LED Bulb E27, Pack of 4, order/u,
        text,
      )
    }
    assert.match(await writes(...BULBS, 'sorry, just one', 'yes'), /return of LED Bulb/u)
    const order = await dataSource.getOrder('O-12396')
    assert.equal(order?.['return_items'], 'LED Bulb E27, Pack of 4')
  })

  test('[S-13] is not changed by what else may be one', async () => {
    await none(
      BULBS,
      ['one more thing', 'only one question', 'I bought one in May', 'one of my lamps is old'],
      /return of 2 × LED/u,
    )
  })
})

describe('what is no answer to a confirmation', () => {
  test('[S-13] gets a friendly word, and the question once more in short', async () => {
    await none(
      LAMP,
      ['thanks, that is kind of you', 'you folks are wonderful', 'Lovely service. Thank you!'],
      /^(?!.*won't guess).*\n\nShall I refund \$79\.90 [^]*$/su,
    )
    await none(LAMP, ['thank you very much!'], /^You're welcome!\n\nShall I .*\?$/su)
    await none(LAMP, ["I'm keeping the chair"], /^Thank you, I see/u)
  })

  test('[S-13] and a real question is said not to be known', async () => {
    await none(LAMP, ['does the factory use recycled brass?'], /won't guess/u)
  })
})

describe('an offered choice', () => {
  const BROKEN: Beginning = ['C-017', 'the watch I got is cracked']

  test('[S-13] is picked by its topic: money is a refund', async () => {
    await none(
      BROKEN,
      [
        'cash please',
        'I would like all of it back',
        "I'd prefer the money to sending it back",
        "I won't send it back, just pay me back",
        'give me back my money',
        'yes, 179.00',
        'the former',
      ],
      /Shall I refund \$179\.00/u,
    )
    await none(
      BROKEN,
      ["then I'll post it back", 'the latter please', 'take it back please'],
      /Shall I start the return/u,
    )
  })

  test('[S-13] is explained to who does not know', async () => {
    await none(
      BROKEN,
      ['whichever', 'which one is quicker?', "I don't mind", 'what would you recommend?'],
      /^Both are possible [^]*Would you like me to|Which would you like\?$/u,
    )
  })

  test('[S-13] is declined without a colleague', async () => {
    await none(
      BROKEN,
      ['none of that', "never mind, I'll repair it myself", "I'll manage on my own, thanks"],
      /leave it|here if you need/u,
    )
  })
})

describe('an offered colleague', () => {
  const LATE: Beginning = ['C-015', 'I want to return my yoga mat']

  test('[S-13] comes for a yes', async () => {
    const yes = ['okay', 'sure, do that', 'that would be very kind', 'yes, get someone']
    await each(LATE, yes, /H-0001/u)
  })

  test('[S-13] does not come for anything else', async () => {
    await none(LATE, [
      'ok thank you',
      "okay, I'll sort it out myself",
      "no, that's all right",
      "it's fine, really",
      "fine, I'll take it to my sister myself",
      'no need to trouble them',
      'yes, but not today',
      'hm',
      'I see, too bad',
      'ok, what about my bedding?',
    ])
  })
})

describe('an address that is asked for', () => {
  const WATCH: Beginning = ['C-008', 'change the address of my watch order']
  const HOME = /to 310 Peachtree Terrace, Atlanta, GA 30308\?$/u

  test('[S-13] is completed from an own one', async () => {
    await none(
      WATCH,
      [
        'yes, 310 Peachtree Terrace',
        'Peachtree Ter 310, please',
        '310 Peachtree Terrace, Atlanta, right',
        'home please, my home address',
        'the one I have on file: my usual address',
        'to where I live',
      ],
      HOME,
    )
    await none(['C-008', 'send my watch to my house instead of the office'], ['hm?'], HOME)
    await none(
      ['C-001', 'please ship O-12347 to my office, I am away until next Friday'],
      ['hi there'],
      /to 900 SW Fifth Avenue Floor 6, Portland, OR 97204\?$/u,
    )
  })

  test('[S-13] without its town is asked for the rest', async () => {
    await none(
      WATCH,
      ['5 Birch Lane', '5 Birch Lane Apt 2, yes'],
      /^Which city, state and ZIP code is that: 5 Birch Lane/u,
    )
    const { writes } = await shop()
    assert.match(
      await writes(...WATCH, '5 Birch Lane', 'Macon, GA 31201'),
      /to 5 Birch Lane, Macon, GA 31201\?$/u,
    )
  })

  test('[S-13] keeps its unit where only the number of the house is corrected', async () => {
    const asked = ['C-008', 'send the watch to 12 Elm Street Apt 2, Macon, GA 31201'] as const
    await none(asked, ['oops, 21 Elm Street'], /to 21 Elm Street Apt 2, Macon, GA 31201\?$/u)
    await none(
      asked,
      ['sorry, floor 7', 'sorry, Apt 7'],
      /to 12 Elm Street, (?:floor|Apt) 7, Macon/u,
    )
    await none(asked, ['oops, 21 Oak Street'], /to 21 Oak Street, Macon, GA 31201\?$/u)
    await none(asked, ['oops, 21 Elm Street Apt 9'], /to 21 Elm Street Apt 9, Macon, GA 31201\?$/u)
  })

  test('[S-13] is left as it is where the customer takes it back', async () => {
    await none(
      WATCH,
      ['oh wait, no, keep it at the office', 'leave the old one please', "stop, don't change it"],
      /leave it/u,
    )
    await none(PLACE, ['no wait, leave it at my home'], /leave it/u)
    await none(PLACE, ['no, rather to my home'], /to 1333 Desert Willow Road, Tucson, AZ 85719\?$/u)
  })
})

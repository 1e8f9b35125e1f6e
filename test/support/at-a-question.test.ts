import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSupportAgent, DEMO_DAY, JSONDataSource } from '@echelon/support'
import { systemClock } from 'echelon/internal/platform'

type Turns = readonly [customerId: string, ...texts: readonly string[]]

/** The last answer to what a customer writes, and the answers to all of it, in a shop of its own. */
async function told([customerId, ...texts]: Turns): Promise<string> {
  const clock = { ...systemClock, now: () => Date.parse(`${DEMO_DAY}T12:00:00Z`) }
  const agent = await createSupportAgent({ dataSource: new JSONDataSource(), clock })
  const answers: string[] = []
  for (const text of texts) answers.push((await agent.resolve({ text, customerId }, 's-1')).text)
  return answers.at(-1) ?? ''
}

/** Each text after the same beginning. */
async function each(before: Turns, texts: readonly string[], expected: RegExp): Promise<void> {
  for (const text of texts) assert.match(await told([...before, text]), expected, text)
}

const DONE = /on its way|registered|is cancelled|will be sent|passed it on|H-0001/u
const notDone = new RegExp(`^(?!.*(?:${DONE.source}))`, 'su')

const PLACE: Turns = ['C-018', 'send O-12402 to 40 Elm Hollow Road, Waco, TX 76701 please']
const KETTLES: Turns = ['C-001', 'please refund the two mugs of O-12346']
const LATE: Turns = ['C-005', 'the yoga mat is late, refund it please']
const SCARF: Turns = ['C-007', 'I want to send the scarf back']
const TENT: Turns = ['C-006', 'please cancel the order with the tent']
const DEAR: Turns = ['C-008', 'O-12370 is late, I want a refund for it']
const CHAIR: Turns = ['C-006', 'the office chair wobbles']
const TORN: Turns = ['C-007', 'the scarf came with a tear in it']

describe('a detail of what is to be confirmed', () => {
  test('[S-13] a part of an address joins it, in whatever words, and is asked anew', async () => {
    await each(
      PLACE,
      ['unit 8 is missing', 'you left out apt 8', 'ok but it needs suite 8'],
      /8.*\?/u,
    )
    await each(PLACE, ['it should be number 44'], /to 44 Elm Hollow Road/u)
    await each(PLACE, ["it's Oak Hollow Road, not Elm Hollow Road"], /to 40 Oak Hollow Road, Waco/u)
    await each(PLACE, ['yes, fourth floor please'], /Road, fourth floor, Waco.*\?/u)
  })

  test('[S-13] a name on the parcel joins the address', async () => {
    const texts = ['yes, but it has to say Ruth Meyer on it', 'ok, attention Ruth Meyer']
    await each(PLACE, texts, /to Ruth Meyer, 40 Elm Hollow Road.*\?/u)
    await each(PLACE, ['yes please, c/o Meyer'], /to c\/o Meyer, 40 Elm/u)
    await each(PLACE, ['yes, and write my name on it'], /to Mateo Alvarez, 40 Elm/u)
  })

  test('[S-19] what nobody can pass on is said, and nothing is done', async () => {
    const texts = [
      'yes, and hand it to the neighbor',
      'ok but ring twice',
      'sure, put it on the porch',
    ]
    await each(PLACE, texts, /can't pass anything on to the driver.*Shall I send/su)
    const other = ['yes, but to my bank account', 'ok, as store credit', "yes, on my wife's card"]
    await each(LATE, other, /means of payment you used.*Shall I refund/su)
  })

  test('[S-19] a part that is wrong is asked for', async () => {
    await each(
      PLACE,
      ['wrong street', 'the zip is wrong', "there's a typo in it"],
      /What should it be/u,
    )
    await each([...PLACE, 'the zip is wrong'], ['76702'], /Waco, TX 76702\?/u)
  })

  test('[S-13] other things of the order, fewer or more of them, are asked anew', async () => {
    await each(
      KETTLES,
      ['not the mugs, the book', 'no, the book'],
      /\$16\.80 for The Salt Path.*\?/u,
    )
    await each(KETTLES, ['the book too', 'and also the book'], /\$46\.70 for .*Salt Path.*\?/u)
    const one = ['just the broken one', 'only one. the other is alright']
    await each(KETTLES, one, /\$14\.95 for Stoneware Mug.*\?/u)
    await each(KETTLES, ['15 would do', "I'd settle for 15 dollars"], /\$15\.00.*\?/u)
    await each([...KETTLES, 'no, the book'], ['no, not the mugs, the book'], /refund \$16\.80/u)
    await each(TENT, ['no, the pan'], /O-12361 is in transit/u)
    await each(TENT, ['not the tent, just the bottles'], /can only cancel a whole order/u)
  })

  test('[S-19] what stays, or is praised, changes nothing', async () => {
    await each(TENT, ['no, the pan is fine', 'no, I keep the pan'], notDone)
    await each(PLACE, ['the apartment I had was nice', 'no, leave it at my home'], notDone)
  })
})

describe('a yes with another request', () => {
  test('[S-13] does what was asked, and answers the rest', async () => {
    const stop = [
      "Yes, and stop the parcel so it won't come as well",
      'yes please. also cancel the delivery',
    ]
    await each(LATE, stop, /can't stop or call back.*on its way/su)
    await each(LATE, ['yes, and send me another one'], /can't send a replacement.*on its way/su)
    await each(TENT, ['yes. and pay me the money back'], /given back within.*is cancelled/su)
    await each(LATE, ['yes. and refund the bottle too'], /on its way.*O-12360 is neither/su)
  })

  test('[S-19] what only begins with a yes does nothing', async () => {
    await each(LATE, ['yes but gift-wrap it', 'yes but first look for it'], notDone)
    await each(TENT, ['yes and stop the refund', 'yes but not the tent'], notDone)
  })
})

describe('who only gains time', () => {
  test('[S-13] is told in one sentence, and may say yes later', async () => {
    const texts = [
      'please wait',
      "one sec, there's someone at the door",
      'brb',
      'hang on, it hums now',
    ]
    for (const before of [LATE, CHAIR, TORN, TENT]) {
      await each(before, texts, /^Take your time: nothing has been done\.$/u)
    }
    await each([...LATE, 'give me two minutes'], ['ok, do it'], /on its way/u)
    await each([...CHAIR, 'wait a moment please'], ['yes please'], /H-0001/u)
  })

  test('[S-19] a value, a wish or a question behind it is read', async () => {
    await each(
      LATE,
      ['wait, I meant the kettle', 'hang on, cancel it', 'wait for it?'],
      /^(?!Take your)/u,
    )
  })

  test('[S-13] what is left for now is not asked again', async () => {
    await each(
      TENT,
      ['leave it for now', "I'll see, leave it for now please"],
      /^All right, I'll leave it/u,
    )
    await each(TENT, ['ok, leave that for now. when does it ship?'], /^(?!.*Shall I)/su)
  })
})

describe('what a colleague has to approve', () => {
  test('[S-13] is passed on by an order to let them decide', async () => {
    const texts = [
      'ok, then ask your boss',
      'let the team look at it',
      'fine, get it approved',
      'send it to them',
    ]
    await each(DEAR, texts, /^A colleague has to approve that first\. I have passed it on[^H]*$/u)
  })

  test('[S-19] is not passed on by a wish to talk, a question, or a doubt', async () => {
    const texts = [
      'let me talk to your colleague',
      'can your team look at it?',
      'ask them tomorrow',
    ]
    await each(DEAR, texts, /^(?!.*passed it on)/su)
    await each(LATE, ['ok, ask your colleague then'], /^(?!.*on its way)/su)
  })
})

describe('an outcry before a reply', () => {
  test('[S-13] asks for nothing', async () => {
    const texts = [
      'Really? that is silly. fine, a colleague please',
      'What? so strict? ok yes get someone',
    ]
    await each(CHAIR, texts, /^(?!.*I don't know).*H-0001/su)
    await each(CHAIR, ['Seriously? no'], /^All right/u)
  })
})

describe('a colleague who is offered', () => {
  test('[S-19] is not brought by a question about something else, or by what sums up', async () => {
    const texts = [
      'ok and until when could I have sent it back?',
      'fine, and how much was my order?',
      'right, so that is too late',
    ]
    await each(CHAIR, texts, /^(?!.*H-0001)/su)
    await each(CHAIR, ['ok get them', 'ok so please get one'], /H-0001/u)
  })
})

describe('something else in place of what is asked', () => {
  test('[S-13] is taken up', async () => {
    await each(TORN, ["no no, it's pretty. I'd rather send it back"], /Shall I start the return/u)
    await each(SCARF, ["no, I'd prefer to have the money"], /Shall I refund \$34/u)
    await each(TORN, ['and can I send it back?'], /Shall I start the return/u)
  })

  test('[S-13] a new one is not to be had, and what is possible is offered again', async () => {
    const texts = [
      "I'd rather have another one than the money",
      'no refund please, just send a new one',
    ]
    await each(TORN, texts, /can't send a replacement.*Which would you like\?/su)
    await each(SCARF, ['no, an exchange would be better'], /don't exchange items.*Shall I start/su)
  })

  test('[S-19] the thing itself, or keeping it, leaves all as it is', async () => {
    await each(LATE, ["I'd rather have the mat than the money", "I'd rather wait"], /^All right/u)
    await each(SCARF, ["no, I'd rather keep it"], /^All right/u)
  })

  test('[S-13] of an offer that is declined for a question, only the question is answered', async () => {
    await each(CHAIR, ['no, just tell me when the pan comes'], /^Your order O-12361[^?]*$/u)
  })
})

describe('a question about what is open', () => {
  test('[S-13] is answered for just that, and it stays open', async () => {
    await each(
      TENT,
      ['would I have to pay something for that?', 'is that free?'],
      /No, cancelling costs nothing.*Shall I/su,
    )
    await each(TENT, ['would I get everything back?'], /given back within.*Shall I/su)
    await each(SCARF, ['and who pays the postage?'], /^Returns are free.*Shall I/su)
    await each(CHAIR, ['how long would that take?'], /Monday to Friday.*Shall I/su)
    await each(LATE, ['and if it still comes?'], /don't have to send anything back.*Shall I/su)
    await each(
      TORN,
      ['if I send it back, who pays for that?'],
      /Returns are free.*Which would you/su,
    )
  })

  test('[S-19] a question of costs is not answered with a yes', async () => {
    const asked: Turns = ['C-004', 'would it cost me anything to cancel the jeans order?']
    assert.match(await told(asked), /^(?!Yes)/u)
  })
})

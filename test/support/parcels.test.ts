import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answeredAfter, lastAnswer as last, writes } from './writes.ts'

describe('a question about several orders', () => {
  test('[S-13] is answered for each of them, and no ID is asked for', async () => {
    const both =
      /^Your order O-12383 \(.*Scarf.*\)[^]*\n\nYour order O-12381 \(Canvas Backpack\)[^\n]*$/
    await answeredAfter(
      'C-012',
      [],
      [
        'when will my packages get here?',
        'does all my stuff arrive before the 23rd?',
        'tell me for every parcel on which day it arrives',
        'have both been sent?',
        'give me the tracking of all my parcels',
        'where are my packages going?',
      ],
      both,
    )
  })

  test('[S-13] of places is answered by the addresses', async () => {
    const said = await last('C-019', 'which parcel is going to Homer and which to Anchorage?')
    for (const line of [/O-12404 \(.*Kettle.*PO Box 2217, Homer/, /O-12403 .*Northgate Circle/]) {
      assert.match(said, line)
    }
    const marietta = await last('C-008', 'does any of my orders go to Marietta Street?')
    assert.match(marietta, /^Your order O-12369 [^\n]*75 Marietta Street[^\n]*$/)
  })

  test('[S-13] is answered for all where no ID can be told', async () => {
    const before = ['what address is it going to?']
    assert.match(await last('C-008', ...before), /order ID/)
    await answeredAfter(
      'C-008',
      before,
      [
        "I haven't got any IDs",
        'for all of them please',
        "don't know the order numbers",
        "I don't know",
      ],
      /O-12369 [^]*O-12368 [^]*O-12370 /,
    )
  })

  test('[S-13] goes on with those that were not told', async () => {
    const said = await last('C-008', 'where do you send the lamps?', 'and the rest?')
    assert.match(said, /^Your order O-12369 [^\n]*\n\nYour order O-12370 [^\n]*$/)
  })

  test('[S-19] does nothing to several orders', async () => {
    const { data, answers } = await writes('C-008', 'cancel all my orders', 'I have no IDs')
    for (const id of ['O-12368', 'O-12369', 'O-12370']) {
      assert.notEqual((await data.getOrder(id))?.['status'], 'cancelled', answers.join('|'))
    }
  })
})

describe('two things in one message', () => {
  test('[S-13] are both answered, each once', async () => {
    const state = 'Your order O-12360 is shipped via UPS, ETA Oct 21'
    const place = await last('C-005', 'does the backpack come tomorrow? does it go to Juniper Way?')
    assert.equal(place, `${state}\n\nYour order O-12360 goes to 233 Juniper Way, Boulder, CO 80302`)
    const mug = await writes(
      'C-012',
      'please refund the broken mug. also has the backpack left?',
      'yes please, and the backpack?',
    )
    assert.match(mug.answers[1] ?? '', /\$14\.95/)
    assert.equal(mug.answers[1]?.split('O-12381').length, 2, mug.answers[1])
    const moved = await last('C-016', 'when does the shirt come. and can the hoodie go to my work?')
    assert.match(moved, /O-12395[^]*new address/)
  })
})

describe('an order that is late', () => {
  test('[S-13] tells its reason in whatever words it is asked', async () => {
    const known = /delayed with FedEx.*The reason: a missed connection of the carrier in Memphis/
    const texts = [
      'now you moved the date of my desk again, what is this?',
      'the desk got pushed a second time!! explain',
      "what's happening with my chair, the date keeps changing",
    ]
    await answeredAfter('C-003', [], texts, known)
    const late = await last('C-008', 'first you said the 16th, now it is the 21st. how come?')
    assert.match(late, /^Your order O-12370 is delayed with UPS, new ETA Oct 21\. I can't see/)
  })

  test('[S-13] is held for a reason that the documents explain', async () => {
    const held = /^Held or stuck means[^]*address check at the carrier's hub\. It goes to 515 Canal/
    const texts = ["what's an address check? my bedding hangs there", 'why is the bedding held?']
    await answeredAfter('C-011', [], texts, held)
    assert.doesNotMatch(await last('C-012', 'what is an address check?'), /Your order/)
  })

  test('[S-13] has left, and what can be asked instead is offered', async () => {
    const offered = /I can refund (?:\$259\.90 for Office Chair, Mesh|a thing in it)/
    const texts = ['can you cancel only the chair?', 'is it possible to cancel the chair alone?']
    await answeredAfter('C-003', [], texts, offered)
    const left = await last('C-003', 'has the desk already been sent?')
    assert.match(left, /has left us already/)
    assert.match(await last('C-001', 'has the lamp left yet?'), /has not left us yet/)
  })
})

test('[S-13] a parcel is told by its day, and several things by their names', async () => {
  const shoes = await last('C-018', 'is anything coming on monday?')
  assert.match(shoes, /^Your order O-12400 [^\n]*ETA Oct 20$/)
  const two = /O-12357 .*ETA Oct 21\n\nYour order O-12355 .*ETA Oct 25$/
  await answeredAfter('C-004', [], ['when is my book here? and my jeans?'], two)
  const each = await last('C-015', 'where is the scarf and did I ever get money for the lamp?')
  assert.match(each, /O-12392 [^]*O-12393 was refunded/)
  // A story before the question asks nothing.
  const story = await last('C-004', 'the earbuds are great. where is my book?')
  assert.doesNotMatch(story, /O-12356/)
})

test('[S-13] what is in a parcel stands with its day', async () => {
  const parcel = /Salt Path.*Puzzle.*shipped via USPS, ETA Oct 22$/
  const texts = [
    'a parcel is coming, is that the book? when',
    'is it my puzzle that comes wednesday?',
  ]
  await answeredAfter('C-007', [], texts, parcel)
})

describe('a parcel that can wait', () => {
  test('[S-13] is told by the state of its order', async () => {
    const onItsWay = /O-12371 .*on its way with USPS, ETA Oct 21.*9400466662424666062480$/
    const texts = [
      'could you keep my mug back until november?',
      'the mug would stand on my doorstep for days, what now',
      'can usps bring the mug a week later?',
      'can the mug be left with the lady next door?',
    ]
    await answeredAfter('C-009', [], texts, onItsWay)
    const prepared = await last('C-001', 'please keep the lamp back until november')
    assert.match(prepared, /being prepared, ETA Oct 24.*can't hold it back/)
  })

  test('[S-13] is told by the documents where no order is known', async () => {
    const rules = await last('C-008', 'can a parcel be held until I am back from holiday?')
    assert.match(rules, /From: Delivery: Can you send it later\?\)/)
    assert.match(await last('C-008', 'do you ship on a Sunday?'), /two business days/)
    assert.match(
      await last('C-004', 'do my jeans go out on sunday?'),
      /O-12355 .*two business days/,
    )
  })
})

test('[S-13] who fetches a return is no question of deliveries', async () => {
  const sent = /You send it yourself, with the label/
  const before = ['return the office chair of O-12407', 'yes please']
  const texts = ['who comes and gets it?', "I can't lift it, will someone pick it up?"]
  await answeredAfter('C-020', before, texts, sent)
  const { answers, data } = await writes('C-020', before[0] ?? '', 'yes. and who fetches it?')
  assert.match(answers[1] ?? '', sent)
  assert.equal((await data.getOrder('O-12407'))?.['status'], 'return_started')
  const stays = await writes('C-020', before[0] ?? '', 'only if somebody fetches it')
  assert.equal((await stays.data.getOrder('O-12407'))?.['status'], 'delivered')
})

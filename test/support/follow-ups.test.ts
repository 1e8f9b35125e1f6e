import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { writes } from './writes.ts'

describe('a message', () => {
  test('[S-13] with a question about rules and one about an order has both answered', async () => {
    const { answers } = await writes('C-015', 'where is my scarf? also, what does a return cost?')
    assert.match(answers[0] ?? '', /Returns are free/)
    assert.match(answers[0] ?? '', /O-12392 is shipped/)
  })

  test('[S-13] that corrects itself is about the second thing alone', async () => {
    const { answers } = await writes(
      'C-001',
      'i want to cancel my lamp order, no sorry i mean change its address to 6 Main St, Salem, OR 97301',
    )
    assert.match(answers[0] ?? '', /^Shall I send order O-12347.* to 6 Main St, Salem, OR 97301\?$/)
  })

  test('[S-13] about one of two items names that item, and is about no more money', async () => {
    const { answers } = await writes(
      'C-013',
      'refund my chair please, the lamp is fine and I keep it',
    )
    assert.match(answers[0] ?? '', /^Shall I refund \$259\.90 for Office Chair, Mesh,/)
  })

  test('[S-13] "or rather a refund" is for the item of which the return was asked', async () => {
    const { answers } = await writes('C-001', 'return the book pls', 'actually refund')
    assert.match(answers[1] ?? '', /^Shall I refund \$16\.80 for The Salt Path, Paperback,/)
  })

  test('[S-13] about a thing that was never ordered is not about the only order that fits', async () => {
    const { answers } = await writes('C-001', 'I want to return the purple dragon')
    assert.match(answers[0] ?? '', /^What's your order ID\? You have O-12347/)
  })
})

describe('before a confirmation', () => {
  const ASKED = /Shall I refund \$14\.95 for Stoneware Mug/

  test('[S-13] a reason is taken, and the question stays', async () => {
    const { answers } = await writes('C-001', 'refund one mug', 'they are just very ugly', 'yes')
    assert.match(answers[1] ?? '', /^Thank you, I see\./)
    assert.match(answers[1] ?? '', ASKED)
    assert.match(answers[2] ?? '', /refund of \$14\.95 .* is on its way/)
  })

  test('[S-13] a yes with another request behind it is a yes; one that limits it does not count', async () => {
    const more = await writes('C-001', 'refund one mug', 'yes. and tell me when my tshirt comes')
    assert.match(more.answers[1] ?? '', /is on its way/)
    const less = await writes('C-001', 'refund one mug', 'yes, and only when the tshirt comes')
    assert.doesNotMatch(less.answers[1] ?? '', /is on its way/)
  })

  test('[S-13] an address is never made of the words around it', async () => {
    const { answers, data } = await writes(
      'C-006',
      'send the tent to 12 Elm Court, Dallas, TX 75201',
      "hmm wait no, it's 14 Elm Court",
      'yes',
    )
    assert.match(answers[1] ?? '', /to 14 Elm Court, Dallas, TX 75201\?$/)
    assert.equal((await data.getOrder('O-12363'))?.['address'], '14 Elm Court, Dallas, TX 75201')
  })
})

describe('a hand-over', () => {
  test('[S-13] that the customer takes back closes its ticket', async () => {
    const { answers, data } = await writes(
      'C-017',
      'I want to talk to a human',
      "never mind, you can help: where's my standing desk",
    )
    assert.match(answers[0] ?? '', /H-0001/)
    assert.match(answers[1] ?? '', /^All right, I'm back\.[^]*O-12398 is delayed/)
    assert.deepEqual(await data.handOvers(), [])
  })

  test('[S-13] is offered after a refusal to which the customer objects, and a yes begins it', async () => {
    const { answers, data } = await writes(
      'C-006',
      'refund the office chair',
      "that's not fair, it broke by itself",
      'yes please',
    )
    assert.match(answers[1] ?? '', /Shall I get a colleague/)
    assert.match(answers[2] ?? '', /H-0001/)
    assert.equal((await data.handOvers()).length, 1)
  })

  test('[S-13] is begun by an "ok" after an answer that offers it, and not by thanks', async () => {
    const { answers } = await writes('C-001', 'is the shirt cotton?', 'ok')
    assert.match(answers[1] ?? '', /H-0001/)
    for (const thanks of ['ok thanks', 'ok, I see', 'great, thank you', 'no problem']) {
      const { data } = await writes('C-001', 'is the shirt cotton?', thanks)
      assert.equal((await data.handOvers()).length, 0, thanks)
    }
  })
})

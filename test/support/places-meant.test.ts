import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answeredAfter, lastAnswer, writes } from './writes.ts'

const TENT = 'O-12363'
const SHIRTS = 'O-12380'

describe('a question of where something goes', () => {
  test('[S-13] is about the money after the answer that it was given back', async () => {
    await answeredAfter(
      'C-010',
      ['has my money for the watch been sent?'],
      [
        'nice, and where does it go?',
        'will it land on paypal? or somewhere else',
        'the money i mean. does the refund go on my visa or to the bank',
      ],
      /the money is back on the means of payment you used/i,
    )
  })

  test('[S-13] is about the parcel where it says so', async () => {
    assert.match(
      await lastAnswer('C-010', 'has my money for the watch been sent?', 'where are the shoes?'),
      /O-12374/,
    )
  })

  test('[S-13] is about the mails where it names them', async () => {
    await answeredAfter(
      'C-015',
      ['I have another email address since May, where can I enter it?'],
      [
        'and the updates about the bedding, do they come to the previous inbox or the new one?',
        "I'm talking about the mails of my order. which email gets them",
      ],
      /To which of your email addresses the mails about an order go/,
    )
  })

  test('[S-13] may stand beside another question about the email address', async () => {
    const text =
      'how do I change my email? And do the tracking mails of my order still go to the old one?'
    const answer = await lastAnswer('C-015', text)
    assert.match(answer, /under "My data"/)
    assert.match(answer, /mails about an order/)
  })
})

describe('a doubt about the address of an order that is late', () => {
  test('[S-13] gets the address, the reason and the date, and nothing that was not asked', async () => {
    await answeredAfter(
      'C-011',
      ['why does my bedding not move?'],
      ['oh, have I given a wrong address?', 'is there a mistake in my address?'],
      /515 Canal Street[^]*Oct 24\. The reason: an address check[^]*nothing that you have to do[^]*colleague/,
    )
  })

  test('[S-13] says whether something has to be done', async () => {
    await answeredAfter(
      'C-011',
      ['why does my bedding not move?', 'is there a mistake in my address?'],
      ['must I take care of something myself?', 'no thanks. I just want to know if I have to act'],
      /I see nothing that you have to do for it/,
    )
  })

  test('[S-13] is still a wish where it is one', async () => {
    assert.match(
      await lastAnswer('C-006', 'my tent order has a wrong address, please change it'),
      /What's the new address\?/,
    )
  })
})

describe('a new address', () => {
  const TOLD = 'I see my tent goes to our former flat, we live at 31 Larch Road, Waco, TX 76701 now'

  test('[S-13] is offered at once where a message tells of it', async () => {
    assert.match(
      await lastAnswer('C-006', TOLD),
      /Shall I send order O-12363, .*, to 31 Larch Road, Waco, TX 76701\?/,
    )
  })

  test('[S-13] is not taken from a message that asks', async () => {
    const text = 'does the tent go to 31 Larch Road, Waco, TX 76701 or to my former place?'
    assert.match(await lastAnswer('C-006', text), /goes to 6120 Mission Road/)
  })

  test('[S-13] is remembered by its street', async () => {
    const { answers, data } = await writes(
      'C-006',
      'we moved to 31 Larch Road, Waco, TX 76701. Which address is on the tent?',
      'please send it to the Larch Road one',
    )
    assert.match(answers[1] ?? '', /Shall I send order O-12363, .*, to 31 Larch Road, Waco/)
    assert.match(JSON.stringify(await data.getOrder(TENT)), /Mission Road/)
  })

  test('[S-19] that is called the old one is not agreed to', async () => {
    const { data } = await writes('C-006', TOLD, "yeah, that's the old one")
    assert.match(JSON.stringify(await data.getOrder(TENT)), /Mission Road/)
  })
})

describe('the name on a parcel', () => {
  const ADDRESS = '40 Willow St, Slidell, LA 70458'
  const WITH_NAME = /to Nadia Haddad, 40 Willow St, Slidell, LA 70458\?$/

  test('[S-13] stays with the address that it stands behind', async () => {
    for (const text of [`${ADDRESS}, Nadia Haddad`, `${ADDRESS}. Her name is Nadia Haddad`])
      assert.match(
        await lastAnswer('C-011', 'can the t-shirts go to my cousin?', text),
        WITH_NAME,
        text,
      )
  })

  test('[S-13] is put before the address that is offered', async () => {
    await answeredAfter(
      'C-011',
      [`send the t-shirts to ${ADDRESS}`],
      [
        'yes, but Nadia Haddad has to stand on the box, it is her name on the bell',
        'could you write Nadia Haddad on the label?',
      ],
      WITH_NAME,
    )
  })

  test('[S-19] changes nothing before it is agreed to', async () => {
    const { data } = await writes(
      'C-011',
      `send the t-shirts to ${ADDRESS}`,
      'yes, with the name Nadia Haddad on the parcel',
    )
    assert.match(JSON.stringify(await data.getOrder(SHIRTS)), /Canal Street/)
  })

  test('[S-13] is no courtesy behind an address', async () => {
    for (const text of [`${ADDRESS}. Thank You`, `${ADDRESS}, United States`])
      assert.match(
        await lastAnswer('C-011', 'can the t-shirts go to my cousin?', text),
        /, to 40 Willow St, Slidell, LA 70458\?$/,
        text,
      )
  })
})

describe('the question whether an order can still go elsewhere', () => {
  test('[S-13] is answered for the order that it names', async () => {
    await answeredAfter(
      'C-012',
      [],
      [
        'can I still have the backpack sent to another place?',
        'could my backpack still be redirected?',
      ],
      /rder O-12381 is shipped, and its address can only be changed before it is shipped/,
    )
  })
})

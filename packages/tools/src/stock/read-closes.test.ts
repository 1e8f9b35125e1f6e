import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readCloses } from './read-closes.ts'

const COLUMNS = { date: 'date', close: 'close' }
const read = (csv: string) => readCloses(csv, COLUMNS)

suite('a table of closing prices', () => {
  test('is read by column name and sorted', async () => {
    const csv = '\uFEFFVolume,CLOSE,Date\r\n9,"2.5",2018-05-11\r\n\r\n8, 1 ,2018-05-10\r\n'
    assert.deepEqual(await read(csv), [
      { date: '2018-05-10', close: 1 },
      { date: '2018-05-11', close: 2.5 },
    ])
  })

  test('may have no days', async () => {
    assert.deepEqual(await read('date,close\n'), [])
  })

  test('with an error is refused with the line number', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['date,close\n2018-05-10,1\n2018-05-11,null\n', /^line 3 .*"null" is not a price/],
      ['date,close\n\n2018-05-11,\n', /^line 3 .*"" is not a price/],
      ['date,close\n2018-05-11,-1\n', /^line 2 .*"-1" is not a price/],
      ['date,close\n2018-05-11,0x\n', /^line 2 .*not a price/],
      ['date,close\n2018-05-11,Infinity\n', /^line 2 .*not a price/],
      ['date,close\n2018-02-30,1\n', /^line 2 .*"2018-02-30" is not a day/],
      ['date,close\n2018-05-11\n', /line 2/],
      ['date,close\n2018-05-11,"1\n', /line 2/],
      ['date,close\n2018-05-11,1\n2018-05-11,2\n', /2018-05-11 twice/],
      ['date,open\n2018-05-11,1\n', /no column close; its first line is: date, open/],
      ['<html><body>Please log in</body></html>', /no column date/],
      ['', /no column date/],
    ]
    for (const [csv, message] of cases) {
      await assert.rejects(read(csv), { name: 'ToolError', code: 'TOOL_ERROR', message }, csv)
    }
  })
})

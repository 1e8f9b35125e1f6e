const OWN_ROWS =
  'rows that this process wrote itself into memory; a row of a file is guarded where the store is opened and by its checksums'
const OWN_STORE =
  "rows of the store's own file, one JSON.parse each, whose damage the tests of the stores try"
const JSON_ALONE = 'one JSON.parse, whose time grows with the length, and a check of the shape'

/** Modules that read foreign text and are not tried, each with the reason. A folder ends with a slash. */
export const EXCUSED: Readonly<Record<string, string>> = {
  'cli/src/mcp/allowed.ts': `a file outside of the project; ${JSON_ALONE}`,
  'cli/src/otel.ts': `what the telemetry package says of itself; ${JSON_ALONE}`,
  'cli/src/record/about.ts': 'reads a value of a recording, which its own reader has checked',
  'cli/src/terminal/show-case.ts': `a summary of at most some hundred characters; ${JSON_ALONE}`,
  'packages/store/src/postgres/': OWN_STORE,
  'packages/store/src/copy/': OWN_STORE,
  'packages/adapters/src/aiagent/response.ts': `${JSON_ALONE}; capped as every answer is`,
  'packages/support/src/defaults/sqlite-data-source.ts': OWN_STORE,
  'packages/support/src/defaults/sqlite-sink.ts': OWN_STORE,
  'packages/support/src/turn/carried.ts': `a tool's result that is a text, up to a limit; ${JSON_ALONE}`,
  'packages/support/src/evaluation/read-conversations.ts':
    'a file of the user, read by a package up to a limit; an expression in it is bounded by its ways to match',
  'packages/support/src/customer/order-ids.ts':
    'expressions of fixed form over a text of bounded length, tried with the reader of the support agent',
  'packages/support/src/customer/order-filters.ts':
    'an expression of an escaped carrier of the data, of fixed form',
  'packages/support/src/customer/own-address.ts':
    'an expression of the escaped name of an address of the data, of fixed form',
  'packages/support/src/turn/reading/plan-words.ts': 'expressions of its own words, of fixed form',
  'packages/support/src/turn/reading/elliptical.ts': 'expressions of its own words, of fixed form',
  'packages/support/src/customer/order-states.ts': 'expressions of its own words, of fixed form',
  'packages/support/src/customer/rescoped.ts':
    'expressions of its own words, of fixed form, over a text of bounded length',
  'packages/support/src/turn/masked-notes.ts': 'an expression of escaped texts, of fixed form',
  'packages/echelon/src/runtime/model/believed-usage.ts':
    'looks at a handful of numbers, and at the lengths of texts',
  'packages/echelon/src/core/state/state-shape.ts':
    'a line of a file that the project itself keeps, in tests',
  'packages/echelon/src/platform/given-file.ts':
    'reads bytes up to a limit, and looks at none of them',
  'packages/knowledge/src/documents/read-in-isolate.ts':
    'hands on to the readers of documents, in a process of their own',
  'packages/echelon/src/classify/packed.ts': `a file of a package, checked by its length; ${JSON_ALONE}`,
  'packages/echelon/src/verify/attempt-of.ts': JSON_ALONE,
  'packages/echelon/src/compose/answer-gate.ts': `a file that the user names, up to a limit; ${JSON_ALONE}`,
  'cli/src/run/wanted-answer.ts': `a file that the user names, up to a limit; ${JSON_ALONE}`,
  'packages/echelon/src/client/': `events and answers of the user's own server; ${JSON_ALONE}`,
  'packages/server/src/':
    'requests up to the limits of the server, which test/server tries with random bodies of each protocol',
  'packages/echelon/src/tune/goal.ts':
    'one option of a command, by an expression without repetition in a repetition',
  'cli/src/tune/lines.ts': 'text that this process wrote',
  'packages/echelon/src/middleware/cache/memory-cache.ts': OWN_ROWS,
  'packages/echelon/src/middleware/text/text-transform.ts': "an expression of the program's own",
  'packages/echelon/src/providers/prices.ts': 'expressions of the price list, which is a package',
  'packages/store/src/kept-event.ts': OWN_STORE,
  'packages/store/src/sqlite/': OWN_STORE,
  'packages/echelon/src/platform/isolate/guest.ts':
    'runs in the isolate, and reads what this process sends it',
  'packages/mcp/src/auth-file.ts': `a private file outside of the project; ${JSON_ALONE}`,
}

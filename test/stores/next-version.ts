import { type Migration, MIGRATIONS } from '../../packages/store/src/sqlite/file/schema.ts'

/** A future version. */
const NEXT: Migration = (build) => [
  build.alterTable('runs').addColumn('color', 'text').compile(),
  build.createIndex('runs_by_color').on('runs').columns(['color']).compile(),
]

export const NEXT_VERSION: readonly Migration[] = [...MIGRATIONS, NEXT]

/** The same, but failing halfway. */
export const FAILING_VERSION: readonly Migration[] = [
  ...MIGRATIONS,
  (build) => [...NEXT(build), build.createTable('runs').addColumn('id', 'text').compile()],
]

import { updateGuard, sumColumn, type SummedTable } from './row-sum.ts'
import type { Migration, Statement } from '../file/schema.ts'

const MADE = /^create table "(\w+)" \(/

/** The primary key of several columns follows the columns; the checksum must come before it. */
const END = /(?:, constraint "\w+" primary key \([^)]*\))?\)$/

type Tables = Readonly<Record<string, SummedTable>>

/**
 * Recreates each table with a checksum in each row, since SQLite cannot add a stored column to a
 * table. The content is summed as it is, so earlier damage stays undetected.
 * @param before the migration that created the tables
 */
export function summed(before: Migration, tables: Tables): Migration {
  const made =
    (
      each: (create: Statement) => readonly Statement[],
      isLeft: (sql: string) => boolean,
    ): Migration =>
    (build) => [
      ...before(build).flatMap((one) => (MADE.test(one.sql) ? each(one) : [])),
      ...before(build).filter(({ sql }) => !MADE.test(sql) && isLeft(sql)),
      ...Object.entries(tables).flatMap(([table, of]) =>
        of.guardsUpdates === true ? [statement(updateGuard(table, of))] : [],
      ),
    ]
  return Object.assign(
    // Indexes and triggers are dropped with their table; the rest still exists.
    made(
      (create) => replaced(create, tables),
      (sql) => /^create (?:index|trigger) /.test(sql),
    ),
    {
      fromNothing: made(
        (create) => [withSum(create, tables)],
        () => true,
      ),
    },
  )
}

function withSum({ sql }: Statement, tables: Tables): Statement {
  const table = nameIn(sql)
  const of = tables[table]
  return statement(
    of === undefined ? sql : sql.replace(END, (end) => `, ${sumColumn(table, of)}${end}`),
  )
}

const nameIn = (sql: string): string => MADE.exec(sql)?.[1] ?? ''

/** `autoincrement` counters continue where they were: no number is used twice. */
function replaced(create: Statement, tables: Tables): readonly Statement[] {
  const table = nameIn(create.sql)
  const of = tables[table]
  if (of === undefined) return []
  const [old, columns] = [`${table}_unsummed`, of.columns.map((name) => `"${name}"`).join(', ')]
  const counted = [
    `delete from sqlite_sequence where name = '${table}'`,
    `insert into sqlite_sequence (name, seq)
       select '${table}', seq from sqlite_sequence where name = '${old}'`,
  ]
  return [
    statement(`alter table ${table} rename to ${old}`),
    withSum(create, tables),
    statement(`insert into ${table} (${columns}) select ${columns} from ${old}`),
    ...(create.sql.includes(' autoincrement') ? counted.map(statement) : []),
    statement(`drop table ${old}`),
  ]
}

const statement = (sql: string): Statement => ({ sql, parameters: [] })

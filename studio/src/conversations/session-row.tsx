import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SessionView } from 'echelon/client'
import { Ago } from '../pieces/time.tsx'
import { beginningQuery } from './queries.ts'
import { whose } from './route.ts'
import classes from './session-row.module.css'

/** A conversation in the list: what it began with. */
export function SessionRow({ session }: { readonly session: SessionView }) {
  const { agent, id, length, changed_at: at, owner } = session
  const { data: first } = useQuery(beginningQuery(agent, id, whose(owner).owner))
  return (
    <li className={classes['row']}>
      <Link
        to="/conversations/$agent/$session"
        params={{ agent, session: id }}
        search={whose(owner)}
        className={classes['link']}
      >
        <span className={classes['asked']}>{first ?? `A conversation with ${agent}`}</span>
        <span className={classes['facts']}>
          <span>{agent}</span>
          <span>{length} messages</span>
          {owner !== 'local' && <span>{owner}</span>}
          <Ago at={at} />
        </span>
      </Link>
    </li>
  )
}

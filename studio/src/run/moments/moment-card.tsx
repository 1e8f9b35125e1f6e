import {
  IconArrowBigUpLine,
  IconBrain,
  IconFlag,
  IconHandStop,
  IconInfoCircle,
  IconMessage,
  IconScale,
  IconShieldCheck,
  IconShieldX,
  IconTool,
} from '@tabler/icons-react'
import type { RunView } from 'echelon/client'
import { memo, type ReactNode } from 'react'
import { duration } from '../../pieces/time.tsx'
import type { ModelColor } from '../model-color.ts'
import type { Moment } from '../story/moment.ts'
import { GateDetails } from './gate-details.tsx'
import { ModelDetails } from './model-details.tsx'
import classes from './moment-card.module.css'
import { NoteDetails } from './note-details.tsx'
import { PersonDetails } from './person-details.tsx'
import { PromotionDetails } from './promotion-details.tsx'
import { SaidDetails } from './said-details.tsx'
import { ToolCalls } from './tool-calls.tsx'
import { VerdictDetails } from './verdict-details.tsx'

interface MomentCardProps {
  readonly moment: Moment
  readonly run: RunView
  /** Milliseconds since the run began. */
  readonly since: number
  readonly isShown: boolean
  readonly color: ModelColor | undefined
}

/** A moment of the timeline: one plain sentence, with its evidence below. Rendered again only if it changed. */
export const MomentCard = memo(function MomentCard({
  moment,
  run,
  since,
  isShown,
  color,
}: MomentCardProps) {
  const { type, title, tone, model, place } = moment
  return (
    <article
      className={classes['moment']}
      data-type={type}
      data-tone={tone}
      data-color={color}
      data-shown={isShown}
    >
      <span className={classes['icon']}>{iconOf(moment)}</span>
      <div className={classes['body']}>
        <div className={classes['head']}>
          <h3 className={classes['title']}>{title}</h3>
          <span className={classes['meta']}>
            {place !== undefined && place.path !== '' && (
              <span className={classes['badge']}>sub-run {place.path}</span>
            )}
            {color !== undefined && model !== undefined && (
              <span className={classes['badge']}>{model}</span>
            )}
            <span className={classes['since']} title="Since the run began">
              +{duration(Math.max(0, since))}
            </span>
          </span>
        </div>
        <Details moment={moment} run={run} />
      </div>
    </article>
  )
})

function Details({ moment, run }: Pick<MomentCardProps, 'moment' | 'run'>): ReactNode {
  switch (moment.type) {
    case 'model':
      return <ModelDetails moment={moment} />
    case 'tools':
      return <ToolCalls calls={moment.calls} />
    case 'verdict':
      return <VerdictDetails moment={moment} />
    case 'gate':
      return <GateDetails moment={moment} />
    case 'promotion':
      return <PromotionDetails moment={moment} run={run} />
    case 'person':
      return <PersonDetails moment={moment} run={run} />
    case 'said':
      return <SaidDetails moment={moment} />
    case 'note':
      return <NoteDetails moment={moment} />
    case 'end':
      return null
  }
}

const SIZE = { size: 18, stroke: 1.8, 'aria-hidden': true } as const

function iconOf(moment: Moment): ReactNode {
  switch (moment.type) {
    case 'model':
      return <IconBrain {...SIZE} />
    case 'tools':
      return moment.isCheck ? <IconScale {...SIZE} /> : <IconTool {...SIZE} />
    case 'verdict':
      return moment.tone === 'good' ? <IconShieldCheck {...SIZE} /> : <IconShieldX {...SIZE} />
    case 'gate':
      return <IconScale {...SIZE} />
    case 'promotion':
      return <IconArrowBigUpLine {...SIZE} />
    case 'person':
      return <IconHandStop {...SIZE} />
    case 'said':
      return <IconMessage {...SIZE} />
    case 'note':
      return <IconInfoCircle {...SIZE} />
    case 'end':
      return <IconFlag {...SIZE} />
  }
}

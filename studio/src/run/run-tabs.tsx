import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { RunEventView, RunView } from 'echelon/client'
import { BudgetPanel } from './panels/budget-panel.tsx'
import { EventsPanel } from './panels/events-panel.tsx'
import { JournalPanel } from './panels/journal-panel.tsx'
import { MessagesPanel } from './panels/messages-panel.tsx'
import { RUN_TABS, runRoute, type RunTab } from './route.ts'
import type { Moment } from './story/moment.ts'
import { Timeline } from './timeline.tsx'

interface RunTabsProps {
  readonly run: RunView
  readonly story: readonly Moment[]
  readonly events: readonly RunEventView[]
  /** The key of the moment to scroll to. */
  readonly shown: string | undefined
}

const LABELS: Readonly<Record<RunTab, string>> = {
  timeline: 'Timeline',
  budget: 'Budget',
  messages: 'Model messages',
  journal: 'Journal',
  events: 'Events',
}

/** The details of a run. Only what is looked at is loaded. */
export function RunTabs({ run, story, events, shown }: RunTabsProps) {
  const { tab = 'timeline' } = runRoute.useSearch()
  const navigate = useNavigate({ from: '/runs/$run' })
  const choose = (name: string | null): void => {
    const chosen = RUN_TABS.find((each) => each === name)
    const search = chosen === undefined || chosen === 'timeline' ? {} : { tab: chosen }
    void navigate({ search, replace: true, resetScroll: false })
  }
  return (
    <Tabs value={tab} onChange={choose} keepMounted={false}>
      <Tabs.List mb="md" style={{ flexWrap: 'nowrap', overflowX: 'auto' }}>
        {RUN_TABS.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {LABELS[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="timeline">
        <Timeline run={run} story={story} shown={shown} />
      </Tabs.Panel>
      <Tabs.Panel value="budget">
        <BudgetPanel run={run} />
      </Tabs.Panel>
      <Tabs.Panel value="messages">
        <MessagesPanel run={run} />
      </Tabs.Panel>
      <Tabs.Panel value="journal">
        <JournalPanel run={run} />
      </Tabs.Panel>
      <Tabs.Panel value="events">
        <EventsPanel events={events} />
      </Tabs.Panel>
    </Tabs>
  )
}

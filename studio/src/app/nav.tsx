import { Badge, NavLink } from '@mantine/core'
import {
  IconArrowsSplit2,
  IconChartDots,
  IconCoins,
  IconHandStop,
  IconHome,
  IconListDetails,
  IconMessages,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { approvalsQuery } from '../api/queries.ts'

const VIEWS = [
  { to: '/', label: 'Home', Icon: IconHome },
  { to: '/runs', label: 'Runs', Icon: IconListDetails },
  { to: '/compare', label: 'Compare', Icon: IconArrowsSplit2 },
  { to: '/conversations', label: 'Conversations', Icon: IconMessages },
  { to: '/approvals', label: 'Approvals', Icon: IconHandStop },
  { to: '/evaluations', label: 'Evaluations', Icon: IconChartDots },
  { to: '/costs', label: 'Costs', Icon: IconCoins },
] as const

/** Links to the views. */
export function Nav({ onGo }: { readonly onGo: () => void }) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return VIEWS.map(({ to, label, Icon }) => (
    <NavLink
      key={to}
      component={Link}
      to={to}
      label={label}
      leftSection={<Icon size={20} stroke={1.6} aria-hidden />}
      rightSection={to === '/approvals' ? <Waiting /> : undefined}
      active={to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)}
      aria-current={path === to ? 'page' : undefined}
      onClick={onGo}
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    />
  ))
}

/** Number of tool calls that wait for a person. */
function Waiting(): ReactNode {
  const { data = [] } = useQuery(approvalsQuery)
  return data.length === 0 ? null : (
    <Badge size="sm" circle color="orange" aria-label={`${data.length} waiting`}>
      {data.length}
    </Badge>
  )
}

import { Page } from '../pieces/page.tsx'

export const HomeView = () => <Page title="Home">{null}</Page>

package catalog

// General is the category of what fits no other.
const General = "general"

// ownCategories are ours, as they are explained to an agent.
var ownCategories = []struct{ name, description string }{
	{"ai", "Models, prompts, assistants, evaluation, translation and text generation"},
	{"analytics", "Charts, reports, statistics and usage figures"},
	{"automation", "Commands, scripts, workflows, webhooks and jobs"},
	{"browser", "Driving a browser or a device's screen: navigate, click, type, screenshot"},
	{"calendar", "Calendars, meetings, bookings, dates and time zones"},
	{"cloud", "Servers, containers, clusters, deployments, networks, DNS and domains"},
	{"commerce", "Products, orders, prices, subscriptions, payments and invoices"},
	{"content", "Web sites, blogs, content management and social media"},
	{"crm", "Contacts, companies, deals, support and marketing campaigns"},
	{"databases", "Databases, tables, queries, indexes and vector stores"},
	{"design", "Designs, diagrams, 3D scenes and games"},
	{"development", "Building, testing, linting, debugging, packages and API specifications"},
	{"documents", "Notes, pages, spreadsheets, PDFs and other documents"},
	{"email", "Reading, writing and sending mail, mailboxes and mailing"},
	{"files", "Files, folders and object storage"},
	{"finance", "Markets, budgets, currencies, wallets and blockchains"},
	{"knowledge", "Memory, knowledge graphs, documentation, research and calculation"},
	{"maps", "Places, routes, geocoding, weather and travel"},
	{"media", "Images, video, audio, music and films"},
	{"messaging", "Chats, channels, text messages, calls and notifications"},
	{"monitoring", "Logs, metrics, traces, alerts, dashboards and incidents"},
	{"projects", "Issues, tasks, boards, sprints and projects"},
	{"security", "Secrets, vulnerabilities, accounts, roles and permissions"},
	{"source-control", "Repositories, commits, branches, pull and merge requests"},
	{"web-search", "Searching the web, fetching, crawling and scraping pages"},
	{General, "Everything else"},
}

// A row of the table: words that tell a category. A word with _ inside is
// several words, one after the other. All are whole words, in either number.
type row struct {
	category string
	words    string // wherever they stand: in a name, a title, a description
	names    string // only in names and titles; in prose they mean too many things
}

// table tells categories by words. The first row that has one of a tool's words
// wins, so what is particular stands before what is common: products first, then
// things.
var table = []row{
	// Products: whatever a tool of theirs does, it is what the product is for.
	{"source-control", "github gitlab bitbucket gitea git gist", ""},
	{"projects", "jira asana trello todoist clickup", "linear plane basecamp"},
	{"messaging", "slack discord telegram whatsapp twilio lark feishu dingtalk wechat vonage", ""},
	{"email", "gmail mailgun mailtrap sendgrid mailchimp smtp imap", "outlook"},
	{"crm", "hubspot salesforce pipedrive zendesk attio", "intercom"},
	{"commerce", "shopify stripe razorpay paypal woocommerce", "paddle square"},
	{"content", "wordpress contentful strapi webflow reddit subreddit mastodon bluesky tweet", "wp ghost twitter linkedin"},
	{"documents", "onenote confluence obsidian evernote", "notion excel powerpoint bitable docx"},
	{"monitoring", "datadog sentry grafana prometheus rollbar pagerduty splunk newrelic", ""},
	{"analytics", "metabase tableau looker", "amplitude mixpanel posthog"},
	{"browser", "playwright puppeteer selenium stagehand browserbase devtools", "chrome mobile"},
	{"web-search", "firecrawl tavily searxng duckduckgo perplexity serper", "exa brave bing"},
	{"databases", "postgres postgresql mysql mariadb sqlite mongodb redis elasticsearch opensearch snowflake bigquery clickhouse " +
		"dynamodb cassandra neo4j pinecone qdrant weaviate milvus duckdb airtable influxdb supabase", "pg mongo neon turso cosmos kusto"},
	{"ai", "openai anthropic huggingface ollama copilot genai", "gemini replicate claude"},
	{"security", "bitwarden infisical dependabot secret_scanning code_scanning", "keyvault"},
	{"cloud", "kubernetes kubectl kubeconfig terraform helm docker droplet vps ec2 nodepool kafka rabbitmq", "k8s dok docr aks"},
	{"development", "circleci jenkins sonarqube codacy eslint xcode postman browserstack leetcode", "percy npm xcodebuild gopls repomix devops"},
	{"media", "youtube spotify tmdb unsplash cloudinary", ""},
	{"design", "figma godot roblox mermaid drawio threejs mind_map", "blender unity robloxstudio"},
	{"finance", "blockchain solidity stablecoin ethereum bitcoin", "solana cairo stellar tron stylus erc"},
	{"knowledge", "wikipedia arxiv pubmed", "calculator math arithmetic"},
	{"files", "onedrive dropbox sharepoint", ""},

	// Things that are little else.
	{"email", "email mailbox inbox newsletter mail", ""},
	{"calendar", "calendar meeting appointment freebusy webinar", "booking"},
	{"source-control", "repository commit pull_request merge_request change_request branch rebase cherry_pick worktree", "repo fork blame stash"},
	{"projects", "sprint backlog kanban subtask worklog work_item epic roadmap milestone", "issue task ticket todo board checklist workitem planner"},
	{"browser", "browser screenshot", "click hover navigate swipe tap drag scroll tab press viewport dialog screen"},
	{"messaging", "sms voicemail emoji", "message chat channel sip phone notification reaction"},
	{"documents", "spreadsheet workbook worksheet pdf notebook slide presentation", "sheet document wiki"},
	{"monitoring", "telemetry observability incident alert_policy", "log alarm metric monitor dashboard trace uptimecheck downtime"},
	{"databases", "sql database nosql cypher time_series", "db table"},
	{"crm", "crm", "contact lead deal campaign audience company subscriber prospect"},
	{"commerce", "invoice refund ecommerce checkout coupon payment payout qr_code", "product order price discount subscription cart billing " +
		"settlement transaction adjustment purchase customer"},
	{"cloud", "dns vpc load_balancer virtual_machine firewall cdn serverless subdomain nameserver whois", "container pod namespace cluster vm " +
		"deployment deploy domain worker volume hosting lb ssl"},
	{"web-search", "web_search the_web search_engine scrape crawl web_page webpage serp http_request", "web html curl"},
	{"files", "filesystem directory folder object_storage", "file bucket blob storage drive nfs"},
	{"maps", "geocode geocoding mapbox latitude weather forecast map airport flight hotel", "place location direction distance elevation isochrone poi airbnb"},
	{"media", "video audio music podcast movie film transcript song", "photo voice tv speech recording thumbnail"},
	{"finance", "stock_market cryptocurrency crypto wallet portfolio smart_contract exchange_rate budget", "stock quote ticker dividend balance " +
		"currency contract finance market"},
	{"ai", "llm prompt embedding inference chat_completion translate translation language_model rephrase", "model ai assistant evaluation agent " +
		"language glossary thinking sequentialthinking thought"},
	{"design", "diagram mesh sprite animation 3d", "scene shape layer color game"},
	{"analytics", "chart analytics histogram statistics", "report insight funnel"},
	{"security", "secret vulnerability password credential permission oauth api_key iam", "auth login logout role vault policy token encrypt access certificate"},
	{"development", "lint compile debugger code_quality feature_flag test_case unit_test openapi codebase source_code simulator graphql", "test build package " +
		"pipeline spec code debug mock sim testcase flag"},
	{"knowledge", "knowledge documentation citation encyclopedia", "memory observation doc research paper library guide"},
	{"documents", "", "note"},
	{"content", "cms blog website content_type", "site article theme plugin seo social"},
	{"automation", "shell terminal workflow webhook cron", "command script automation ssh job trigger"},
	{"calendar", "timezone", "time reminder timestamp"},
	{"web-search", "", "url news"},

	// Those who sell everything are told by what the tool is for, if it can be told.
	{"cloud", "aws azure gcp gcloud alibabacloud cloudflare digitalocean heroku vercel netlify", ""},
}

// weak is asked when nothing else tells: neither the table nor the server's
// name. These words could be anything's.
var weak = []row{
	{"email", "", "draft resend"},
	{"messaging", "", "broadcast mention"},
	{"crm", "", "segment"},
	{"web-search", "", "fetch"},
	{"source-control", "", "release"},
	{"projects", "", "card cycle project team initiative label"},
	{"monitoring", "", "alert health"},
	{"analytics", "", "stat usage"},
	{"content", "", "page post entry publish comment asset media"},
	{"media", "", "image"},
	{"documents", "", "cell block"},
	{"calendar", "", "event schedule date availability room"},
	{"development", "", "module component sandbox symbol diagnostics"},
	{"knowledge", "", "entity relation"},
	{"databases", "", "record collection index query schema row column"},
	{"files", "", "upload download attachment"},
	{"browser", "", "device"},
	{"automation", "", "run execute process action"},
	{"cloud", "", "app instance environment function node host ip zone route service"},
	{"security", "", "user account member group organization workspace profile key presence people person"},
}

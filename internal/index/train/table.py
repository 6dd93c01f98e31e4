"""Trains the table of word vectors on what `train export` wrote.

A query and a tool are compared as the index does it: by the words they share
(BM25, not trained, but its weight is), by the best match of each word of the query
among the first words of the tool, and by the mean of all their words. All
tools of a set are candidates at every step, so that the vectors learn what the shared
words do not tell, against the tools that are really in the way.

usage: table.py EXPORT OUT [name=value ...]
"""
import json, math, os, sys, time
import numpy as np
import torch

EXPORT, OUT = sys.argv[1], sys.argv[2]
CFG = dict(name='table', seed=7, fold=-1, save=1, epochs=3, batch=96, dim=128, lr=2e-3, lrmap=1e-3, l2=2e-6, ema=.99, drop=.25, docdrop=.1, theta=.3,
           authored=2, others=1, metatool=4000, selfsup=1, selfname=0, selfmost=20000, labelled=2.0, cosw=1.0, asked=1)
for a in sys.argv[3:]:
    k, v = a.split('=', 1)
    CFG[k] = type(CFG[k])(v) if not isinstance(CFG[k], float) else float(v)
DEV = 'cuda' if torch.cuda.is_available() else 'cpu'
torch.backends.cuda.matmul.allow_tf32 = True
STEPS = 255 / 2.2
DIM = CFG['dim']


def arr(name, kind):
    return np.fromfile(os.path.join(EXPORT, name + '.' + kind), dtype='<' + kind)


def csr(rows, cols, vals, shape):
    return torch.sparse_coo_tensor(torch.tensor(np.stack([rows, cols])), torch.tensor(vals), shape).coalesce().to(DEV)


class Corpus:
    def __init__(s, name):
        s.name = name
        s.start = arr(name + '.start', 'i4').reshape(-1, 32)
        s.field = arr(name + '.field', 'u1').reshape(-1, 32)
        s.N = len(s.start)
        s.server = torch.tensor(arr(name + '.server', 'i4').astype(np.int64), device=DEV)
        s.nserver = int(s.server.max()) + 1
        twin = arr(name + '.twin', 'i4')
        groups = {}
        for i, t in enumerate(twin):
            groups.setdefault(int(t), []).append(i)
        s.twins = [groups[int(t)] for t in twin]
        # columns: distinct pairs of word and field
        ok = s.start >= 0
        pair = s.start.astype(np.int64) * 8 + s.field
        s.pairs, inv = np.unique(pair[ok], return_inverse=True)
        col = np.full(s.start.shape, len(s.pairs), np.int64)
        col[ok] = inv
        s.col = torch.tensor(col, device=DEV)
        s.colword = torch.tensor(s.pairs // 8, device=DEV)
        s.colfield = torch.tensor(s.pairs % 8, device=DEV)
        end = arr(name + '.bagend', 'i4'); bag = arr(name + '.bag', 'i4').astype(np.int64); bw = arr(name + '.bagweight', 'f4')
        row = np.repeat(np.arange(s.N), np.diff(end))
        s.bagrow, s.bagword, s.bagw = (torch.tensor(x, device=DEV) for x in (row, bag, bw))
        s.bags = [(bag[end[i]:end[i + 1]], bw[end[i]:end[i + 1]]) for i in range(s.N)]
        pe = arr(name + '.postend', 'i4'); post = arr(name + '.post', 'i4').astype(np.int64)
        own = arr(name + '.own', 'u1').astype(np.float32) / STEPS; shared = arr(name + '.shared', 'u1').astype(np.float32) / STEPS
        stem = arr(name + '.stem', 'i4').astype(np.int64)
        prow = np.repeat(np.arange(s.N), np.diff(pe))
        df = np.bincount(post, minlength=len(stem))
        idf = np.log(1 + (s.N - df + .5) / (df + .5)).astype(np.float32)
        ps = stem[post]
        key = np.unique(prow * (stem.max() + 1) + ps)
        sdf = np.bincount(key % (stem.max() + 1), minlength=stem.max() + 1)
        sidf = np.log(1 + (s.N - sdf + .5) / (sdf + .5)).astype(np.float32)
        s.own = csr(post, prow, own * idf[post], (len(stem), s.N))
        s.shared = csr(ps, prow, shared * sidf[ps], (len(sidf), s.N))


class Queries:
    def __init__(s, base, corpus):
        s.base, s.c = base, corpus
        s.word = arr(base + '.word', 'i4').astype(np.int64); s.end = arr(base + '.end', 'i4')
        cw = arr(base + '.cword', 'i4').astype(np.int64); cs = arr(base + '.cstem', 'i4').astype(np.int64); w = arr(base + '.weight', 'f4')
        s.n = len(s.end) - 1
        row = np.repeat(np.arange(s.n), np.diff(s.end))
        f = lambda ids, m: csr(row[ids >= 0], ids[ids >= 0], w[ids >= 0], (s.n, m.shape[0]))
        a, b = f(cw, corpus.own), f(cs, corpus.shared)
        lex = torch.sparse.mm(a, corpus.own.to_dense()) if corpus.own.shape[0] * corpus.N < 4e8 else torch.sparse.mm(a, corpus.own).to_dense()
        lex += torch.sparse.mm(b, corpus.shared.to_dense()) if corpus.shared.shape[0] * corpus.N < 4e8 else torch.sparse.mm(b, corpus.shared).to_dense()
        s.lex = (lex / lex.amax(1, keepdim=True).clamp(min=1e-6)).half()
        ge = arr(base + '.goldend', 'i4'); g = arr(base + '.gold', 'i4').astype(np.int64); nd = arr(base + '.need', 'i4')
        s.needs = []
        for i in range(s.n):
            d = {}
            for x, k in zip(g[ge[i]:ge[i + 1]], nd[ge[i]:ge[i + 1]]):
                d.setdefault(int(k), []).append(int(x))
            s.needs.append(list(d.values()))
        s.kind = arr(base + '.kind', 'i4')
        s.kinds = {v: k for k, v in json.load(open(os.path.join(EXPORT, base + '.kinds.json'))).items()}
        s.words = [s.word[s.end[i]:s.end[i + 1]] for i in range(s.n)]
        s.len = np.diff(s.end)


class Asked:
    """Queries as if they were tools: one request for a tool finds the others for it."""
    def __init__(s, q, ids):
        s.ids = ids
        s.N = len(ids)
        start = np.full((s.N, 32), -1, np.int64)
        for k, i in enumerate(ids):
            start[k, :min(32, len(q.words[i]))] = q.words[i][:32]
        ok = start >= 0
        words, inv = np.unique(start[ok], return_inverse=True)
        col = np.full(start.shape, len(words), np.int64)
        col[ok] = inv
        s.col = torch.tensor(col, device=DEV)
        s.colword = torch.tensor(words, device=DEV)
        s.colfield = torch.ones(len(words), dtype=torch.long, device=DEV)
        row, _ = np.nonzero(ok)
        s.bagrow = torch.tensor(row, device=DEV)
        s.bagword = torch.tensor(start[ok], device=DEV)
        s.bagw = torch.ones(len(row), device=DEV)
        s.nserver = 1
        tool = {}
        for k, i in enumerate(ids):
            tool.setdefault(q.needs[i][0][0], []).append(k)
        s.others = [[j for j in tool[q.needs[i][0][0]] if j != k] for k, i in enumerate(ids)]
        s.words = [q.words[i] for i in ids]


class BestMatch(torch.autograd.Function):
    """sim [R, C+1] and col [N, 32] to the greatest of each tool's columns [R, N]."""
    @staticmethod
    def forward(ctx, sim, col):
        R, N = sim.shape[0], col.shape[0]
        out = torch.empty(R, N, device=sim.device, dtype=sim.dtype); arg = torch.empty(R, N, device=sim.device, dtype=torch.int32)
        step = max(1, int(3e8 // (R * 32)))
        for i in range(0, N, step):
            c = col[i:i + step]
            g = sim[:, c.reshape(-1)].view(R, c.shape[0], 32)
            v, k = g.max(2)
            out[:, i:i + step] = v
            arg[:, i:i + step] = torch.gather(c.unsqueeze(0).expand(R, -1, -1), 2, k.unsqueeze(2)).squeeze(2).int()
        ctx.save_for_backward(arg); ctx.C = sim.shape[1]
        return out

    @staticmethod
    def backward(ctx, grad):
        arg, = ctx.saved_tensors
        g = torch.zeros(grad.shape[0], ctx.C, device=grad.device, dtype=grad.dtype)
        g.scatter_add_(1, arg.long(), grad.contiguous())
        return g, None


class Model(torch.nn.Module):
    def __init__(s):
        super().__init__()
        G = torch.tensor(arr('words.glove', 'i2').reshape(-1, 100).astype(np.float32) / 32000)
        W = torch.tensor(arr('words.weight', 'f4'))
        O = torch.tensor(arr('words.spelled', 'i2').reshape(-1, 128).astype(np.float32) / 32000)
        V = len(W); g = torch.Generator().manual_seed(CFG['seed'])
        known = (G.abs().sum(1) > 0).float().unsqueeze(1)
        D = torch.zeros(V, DIM); D[:, 100:] = torch.randn(V, DIM - 100, generator=g) * .03
        D = D + (1 - known) * torch.randn(V, DIM, generator=g) * .09
        A = torch.zeros(100, DIM); A[:, :100] = torch.eye(100); A[:, 100:] = torch.randn(100, DIM - 100, generator=g) * .02
        s.register_buffer('G', G); s.register_buffer('W', W); s.register_buffer('O', O[:, :DIM] if DIM <= 128 else torch.nn.functional.pad(O, (0, DIM - 128)))
        s.D, s.A = torch.nn.Parameter(D), torch.nn.Parameter(A)
        s.lq = torch.nn.Parameter(torch.zeros(V)); s.lp = torch.nn.Parameter(torch.zeros(V))
        s.field = torch.nn.Parameter(torch.zeros(8))
        s.temp = torch.nn.Parameter(torch.tensor([math.log(25.), math.log(15.)]))

    def table(s):
        E = s.G @ s.A + s.D
        E = E / (E.norm(dim=1, keepdim=True) + 1e-6)
        w = torch.cat([s.W * s.lq.exp(), torch.full((len(s.O),), 1.0, device=E.device)])
        p = torch.cat([s.W * s.lp.exp(), torch.full((len(s.O),), .9, device=E.device)])
        return torch.cat([E, s.O]), w, p

    def fields(s):
        return (1 + s.field).clamp(.3, 1.5)

    def pool(s, E, p, row, word, w, n):
        x = E[word] * (p[word] * w).unsqueeze(1)
        z = torch.zeros(n, DIM, device=E.device).index_add(0, row, x)
        return z / (z.norm(dim=1, keepdim=True) + 1e-6)

    def tools(s, E, p, c, keep=None):
        row, word, w = c.bagrow, c.bagword, c.bagw
        if keep is not None:
            row, word, w = row[keep], word[keep], w[keep]
        z = s.pool(E, p, row, word, w, c.N)
        if c.nserver > 1:
            m = torch.zeros(c.nserver, DIM, device=E.device).index_add(0, c.server, z)
            z = z + .6 * (m / (m.norm(dim=1, keepdim=True) + 1e-6))[c.server]
            z = z / (z.norm(dim=1, keepdim=True) + 1e-6)
        return z

    def scores(s, E, w, p, c, words, docs, colmask=None):
        """words: lists of word ids. Returns ms [B, N] and cos [B, N]."""
        flat = torch.tensor(np.concatenate(words), device=E.device)
        row = torch.tensor(np.repeat(np.arange(len(words)), [len(x) for x in words]), device=E.device)
        B = len(words)
        qe = E[flat]
        sim = qe @ E[c.colword].T
        sim = torch.relu(sim - CFG['theta']) / (1 - CFG['theta']) * s.fields()[c.colfield]
        if colmask is not None:
            sim = sim * colmask
        sim = torch.nn.functional.pad(sim, (0, 1))
        best = BestMatch.apply(sim, c.col)
        a = w[flat]
        tot = torch.zeros(B, device=E.device).index_add(0, row, a) + 1e-6
        a = a / tot[row]
        ms = torch.zeros(B, c.N, device=E.device).index_add(0, row, best * a.unsqueeze(1))
        z = s.pool(E, p, row, flat, torch.ones_like(a), B)
        return ms, z @ docs.T


def loss_of(logits, needs):
    """Mean over needs of -log of the share of the need's tools among themselves and all that answer nothing."""
    B = len(needs)
    mask = torch.zeros_like(logits, dtype=torch.bool)
    idx = [(i, g) for i, nd in enumerate(needs) for n in nd for g in n]
    ii = torch.tensor([x[0] for x in idx], device=logits.device); gg = torch.tensor([x[1] for x in idx], device=logits.device)
    mask[ii, gg] = True
    rest = logits.masked_fill(mask, -1e4)
    base = torch.logsumexp(rest, 1)
    out = []
    # one need at a time, padded
    rows, golds = [], []
    for i, nd in enumerate(needs):
        for n in nd:
            rows.append(i); golds.append(n)
    m = max(len(x) for x in golds)
    pad = torch.tensor([x + [-1] * (m - len(x)) for x in golds], device=logits.device)
    r = torch.tensor(rows, device=logits.device)
    v = logits[r.unsqueeze(1).expand_as(pad), pad.clamp(min=0)].masked_fill(pad < 0, -1e4)
    pos = torch.logsumexp(v, 1)
    l = torch.logaddexp(pos, base[r]) - pos
    cnt = torch.zeros(B, device=logits.device).index_add(0, r, torch.ones_like(l))
    return (l / cnt[r]).sum() / B


def lrule(n):
    return torch.tensor(np.minimum(1, 5 / np.maximum(n, 1)), device=DEV, dtype=torch.float32).unsqueeze(1)


LABELS = ('ms', 'cos', 'a', 'b', 'c', 'd')


@torch.no_grad()
def evaluate(m, sets):
    E, w, p = m.table()
    E = E.clone(); E = torch.round(E / E.abs().amax(1, keepdim=True) * 127); E = E / E.norm(dim=1, keepdim=True)
    out = {}
    for q in sets:
        docs = m.tools(E, p, q.c)
        for label in LABELS:
            out[(q.base, label)] = []
        for i in range(0, q.n, 64):
            ids = range(i, min(q.n, i + 64))
            words = [q.words[k][:20] if len(q.words[k]) else np.array([0]) for k in ids]
            ms, cs = m.scores(E, w, p, q.c, words, docs)
            L = lrule(q.len[list(ids)])
            lex = q.lex[list(ids)].float()
            S_ = dict(ms=ms, cos=cs, a=lex + L * (5 * ms + 2 * cs), b=lex + 10 * ms, c=lex + 10 * L * (ms + .2 * cs), d=lex + 20 * (ms + .1 * cs))
            for label, S in S_.items():
                for k, j in enumerate(ids):
                    s = S[k]
                    r = []
                    for nd in q.needs[j]:
                        best = s[nd].max()
                        r.append(int((s > best).sum()) + 1)
                    out[(q.base, label)].append(r)
    text, key = [], []
    for q in sets:
        for label in LABELS:
            rk = out[(q.base, label)]
            groups = [('', range(q.n))]
            if len(q.kinds) > 1:
                groups += [(q.kinds[k][:5], [i for i in range(q.n) if q.kind[i] == k]) for k in q.kinds if q.kinds[k] in ('paraphrase', 'task', 'vague')]
            parts = []
            for nm, ids in groups:
                a = np.array([x for i in ids for x in rk[i]])
                v = [(a <= k).mean() * 100 for k in (1, 5, 10)]
                parts.append(nm + '/'.join('%.1f' % x for x in v))
                key.append((label, q.base + nm, v))
            text.append(f'{q.base[4:]} {label}: ' + ' '.join(parts) + ('\n' if label == LABELS[-1] else ''))
    scores = {}
    for label in LABELS:
        d = {k: v for l, k, v in key if l == label}
        scores[label] = round(float(np.mean([d['dev.authored'][1], d['dev.authored'][2], d['dev.authoredparap'][2], d['dev.corpus'][1], d['dev.corpus'][2], d['dev.corpusparap'][2]])), 2)
    score = max(scores.values())
    text.insert(0, str(scores))
    return score, ' | '.join(t for t in text)


def main():
    t0 = time.time()
    torch.manual_seed(CFG['seed']); rng = np.random.RandomState(CFG['seed'])
    C = {n: Corpus(n) for n in ('toucan', 'metatool', 'seal', 'bfcl', 'stb', 'corpus', 'livemcp')}
    T = {b: Queries('q.' + b, C[c]) for b, c in (('authored', 'toucan'), ('metatool_full', 'metatool'), ('seal_dev', 'seal'), ('seal_test_in_domain', 'seal'), ('bfcl', 'bfcl'), ('stabletoolbench', 'stb'))}
    dev = [Queries('dev.' + b, C[c]) for b, c in (('authored', 'toucan'), ('corpus', 'corpus'), ('metatool_multi', 'metatool'), ('livemcp_agent', 'livemcp'))]
    print('loaded %.0fs' % (time.time() - t0), flush=True)
    m = Model().to(DEV)
    opt = torch.optim.Adam([dict(params=[m.D], lr=CFG['lr']), dict(params=[m.A], lr=CFG['lrmap']), dict(params=[m.lq, m.lp], lr=CFG['lr']), dict(params=[m.field, m.temp], lr=2e-3)], betas=(.9, .98))
    base = [g['lr'] for g in opt.param_groups]
    mean = Model().to(DEV)
    mean.load_state_dict(m.state_dict())
    # what may be trained on
    srv = C['toucan'].server.cpu().numpy()
    devtools = {g for q in dev[0].needs for n in q for g in n}
    devservers = {int(srv[g]) for g in devtools}
    fold = CFG['fold']
    def allowed(b, i):
        if b == 'authored':
            s = int(srv[T[b].needs[i][0][0]])
            return s not in devservers and (fold < 0 or (s * 2654435761 >> 7) % 2 != fold)
        return fold < 0 or i % 2 != fold
    ids = {b: [i for i in range(T[b].n) if len(T[b].words[i]) and allowed(b, i)] for b in T}
    print({b: len(x) for b, x in ids.items()})
    selfsup = [(c, i) for c in ('toucan', 'seal', 'bfcl', 'stb', 'metatool') for i in range(C[c].N) if (C[c].bags[i][1] == 1).sum() >= 3 and not (c == 'toucan' and int(srv[i]) in devservers)]
    asked = Asked(T['authored'], ids['authored'])
    plan = []
    for e in range(CFG['epochs']):
        bl = []
        def batches(kind, x, size):
            x = list(x); rng.shuffle(x)
            return [(kind, x[i:i + size]) for i in range(0, len(x), size) if len(x[i:i + size]) > 8]
        for _ in range(CFG['authored']):
            bl += batches('authored', ids['authored'], CFG['batch'])
        for b in ids:
            if b != 'authored' and CFG['others']:
                x = list(ids[b]); rng.shuffle(x)
                bl += batches(b, x[:CFG['metatool']] if b == 'metatool_full' else x, CFG['batch'])
        if CFG['selfsup']:
            for c in ('toucan', 'seal', 'bfcl', 'stb', 'metatool'):
                own = [i for k, i in selfsup if k == c]
                rng.shuffle(own)
                bl += [('self:' + c, x) for _, x in batches(c, own[:CFG['selfmost']], CFG['batch'])]
                if CFG['selfname'] and c in ('toucan', 'stb', 'seal', 'bfcl'):
                    bl += [('name:' + c, x) for _, x in batches(c, own[-CFG['selfmost']:], CFG['batch'])]
        if CFG['asked']:
            bl += batches('asked', [k for k in range(asked.N) if asked.others[k]], CFG['batch'])
        rng.shuffle(bl)
        plan.append(bl)
    total = sum(map(len, plan)); step = 0
    for e, bl in enumerate(plan):
        ls = {}
        for kind, x in bl:
            step += 1
            f = min(1, step / 60) * (1 if step < total * .4 else max(.03, (1 - step / total) / .6))
            for g, b in zip(opt.param_groups, base):
                g['lr'] = b * f
            E, w, p = m.table()
            x = [int(i) for i in x]
            if kind.startswith('self:'):
                c = C[kind[5:]]
                words = []
                for i in x:
                    b, bw = c.bags[i]
                    d = b[bw == 1]; d = list(dict.fromkeys(d[rng.rand(len(d)) > CFG['drop']].tolist()))[:20]
                    words.append(np.array(d or b[bw == 1][:3].tolist()))
                needs = [[c.twins[i]] for i in x]; labelled = False
                colmask = (c.colfield != 1).float(); keep = c.bagw != 1
            elif kind.startswith('name:'):
                c = C[kind[5:]]
                words = []
                for i in x:
                    b, bw = c.bags[i]
                    d = b[(bw > 1.5) | ((bw > .6) & (bw < .8))]; d = list(dict.fromkeys(d[rng.rand(len(d)) > CFG['drop']].tolist()))[:20]
                    words.append(np.array(d or b[:3].tolist()))
                needs = [[c.twins[i]] for i in x]; labelled = False
                colmask = ((c.colfield == 1) | (c.colfield == 2)).float(); keep = (c.bagw == 1) | (c.bagw < .5)
            elif kind == 'asked':
                c = asked; words = []
                for i in x:
                    z = c.words[i][:20]; k = z[rng.rand(len(z)) > CFG['drop']]
                    words.append(k if len(k) else z)
                needs = [[c.others[i]] for i in x]; labelled = False; keep = None
                colmask = (torch.rand(len(c.colword), device=DEV) > CFG['docdrop']).float()
            else:
                q = T[kind]; c = q.c; words = []
                for i in x:
                    z = q.words[i][:20]; k = z[rng.rand(len(z)) > CFG['drop']]
                    words.append(k if len(k) else z)
                needs = [q.needs[i] for i in x]; labelled = True
                colmask = (torch.rand(len(c.colword), device=DEV) > CFG['docdrop']).float(); keep = None
            docs = m.tools(E, p, c, keep)
            ms, cs = m.scores(E, w, p, c, words, docs, colmask)
            if kind == 'asked':  # a request does not find itself
                self = torch.tensor(x, device=DEV).unsqueeze(1)
                ms, cs = ms.scatter(1, self, -1e3), cs.scatter(1, self, -1e3)
            t = m.temp.exp()
            l = (loss_of(t[0] * ms, needs) + CFG['cosw'] * loss_of(t[1] * cs, needs)) * (CFG['labelled'] if labelled else 1)
            ls.setdefault(kind, []).append(float(l.detach()))
            l = l + CFG['l2'] * (m.D ** 2).sum() + 1e-4 * ((m.lq ** 2).mean() + (m.lp ** 2).mean())
            opt.zero_grad(); l.backward(); opt.step()
            with torch.no_grad():
                d = min(CFG['ema'], step / (step + 10))
                for x, y in zip(mean.parameters(), m.parameters()):
                    x.lerp_(y, 1 - d)
        print('EPOCH', e, '%.0fs' % (time.time() - t0), {k: round(float(np.mean(v)), 2) for k, v in ls.items()}, flush=True)
    score, text = evaluate(mean, dev)
    print(text, flush=True)
    print('CONFIG', CFG['name'], {k: v for k, v in CFG.items()}, 'temp', m.temp.exp().tolist(), 'fields', m.fields().tolist(), 'DEV %.2f' % score, flush=True)
    if CFG['save']:
        save(mean)


@torch.no_grad()
def save(m):
    """count, dimensions, then rows of int8, weights in a query and in a mean as float32; words as JSON beside it."""
    E, w, p = m.table()
    V = len(m.W)
    E = E[:V]
    q = torch.round(E / E.abs().amax(1, keepdim=True) * 127).to(torch.int8).cpu().numpy()
    with open(os.path.join(OUT, CFG['name'] + '.bin'), 'wb') as f:
        np.array([V, DIM], '<u4').tofile(f); q.tofile(f)
        w[:V].float().cpu().numpy().astype('<f4').tofile(f); p[:V].float().cpu().numpy().astype('<f4').tofile(f)
    json.dump(dict(fields=m.fields().tolist(), theta=CFG['theta']), open(os.path.join(OUT, CFG['name'] + '.json'), 'w'))


main()

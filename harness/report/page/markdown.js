// The Markdown of the lessons: paragraphs, lists, `code`, **strong** and [links](url), nothing else.

const inlineMarks = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)]+)\)/g;

/** Links lead into the repository, which is not beside the report; a word shows its meaning. */
function linked(label, target) {
  const anchor = target.split('glossary.md#')[1];
  const meaning = anchor && report.glossary[anchor];
  const text = inlineMarkdown(label);
  return meaning ? el('abbr', {title: meaning, tabindex: 0}, text) : text;
}

function inlineMarkdown(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(inlineMarks)) {
    const [whole, code, strong, label, target] = match;
    parts.push(text.slice(end, match.index));
    if (code) parts.push(el('code', {}, code));
    else if (strong) parts.push(el('strong', {}, strong));
    else parts.push(linked(label, target));
    end = match.index + whole.length;
  }
  return [...parts, text.slice(end)];
}

function listItems(block) {
  return block.split(/\n(?=[-*] |\d+\. )/).map((item) =>
    el('li', {}, inlineMarkdown(item.replace(/^([-*]|\d+\.) /, ''))));
}

/** Elements for a text in Markdown. */
function prose(text) {
  return text.trim().split(/\n\s*\n/).filter(Boolean).map((block) => {
    if (/^[-*] /.test(block)) return el('ul', {}, listItems(block));
    if (/^\d+\. /.test(block)) return el('ol', {}, listItems(block));
    return el('p', {}, inlineMarkdown(block));
  });
}

/** `<script src="holdfast.panel.classic.js">`: panel and badge with all of their languages, for who has no bundler. */
import './define';
